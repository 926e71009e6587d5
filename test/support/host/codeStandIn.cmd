@node "%~dp0codeStandIn.ts" %*
