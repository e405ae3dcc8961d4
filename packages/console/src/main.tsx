import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { captureReturned } from "./handoff/returned.ts";
import { captureLinkToken } from "./link/link-token.ts";
import { captureOutsideAnswer } from "./sign-in/outside-answer.ts";
import "./styles/index.css";

captureLinkToken();
captureOutsideAnswer();
captureReturned();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has a root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
