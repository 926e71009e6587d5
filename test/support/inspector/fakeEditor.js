// The editor's side as the page sees it: `acquireVsCodeApi`, kept state, and messages that go to the test.
window.acquireVsCodeApi = () => ({
  getState: () => window.fakeState,
  setState: (state) => {
    window.fakeState = state;
  },
  postMessage: (message) => {
    void window.toHost(message).then(() => {
      if (message.kind === 'ready') document.body.classList.add('ready');
    });
  },
});
