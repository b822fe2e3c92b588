// SPDX-License-Identifier: MIT
// Requests to /api. An answer that is an error becomes an ApiError with its one line.

class ApiError extends Error {
  constructor(line, status) {
    super(line);
    this.status = status;
  }
}

export const get = (path, options) => request("GET", path, undefined, options);
export const post = (path, body, options) => request("POST", path, body ?? {}, options);
export const remove = (path, options) => request("DELETE", path, undefined, options);

/** An address with a query of the values that are given. */
export function withQuery(path, values) {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const query = new URLSearchParams(given).toString().replaceAll("+", "%20");
  return query ? `${path}?${query}` : path;
}

async function request(method, path, body, { headers = {}, signal } = {}) {
  const asked = { method, signal, headers: { ...headers } };
  if (body !== undefined) {
    asked.body = JSON.stringify(body);
    asked.headers["content-type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(`/api${path}`, asked);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("the server does not answer; is it still running?", 0);
  }
  const isJson = answer.headers.get("content-type")?.includes("json");
  const found = isJson ? await answer.json() : await answer.text();
  if (!answer.ok) throw new ApiError(found.error ?? `${answer.status} ${answer.statusText}`, answer.status);
  return found;
}

/** Calls `ask` again and again until `isDone(answer)` or the page is closed; `each` gets every answer. */
export function follow(page, ask, each, isDone, milliseconds = 500) {
  const stop = page.every(milliseconds, async () => {
    const answer = await ask();
    if (page.isClosed) return;
    each(answer);
    if (isDone(answer)) stop();
  });
  return stop;
}
