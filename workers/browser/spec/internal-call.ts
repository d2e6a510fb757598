/** What every object of Playwright's API has, and does not declare. */
interface ApiObject {
  _wrapApiCall<T>(call: () => Promise<T>, options: { internal: true }): Promise<T>;
}

/** Makes calls that are no steps of the script, and in no trace. */
export function internally<T>(object: object, call: () => Promise<T>): Promise<T> {
  return (object as ApiObject)._wrapApiCall(call, { internal: true });
}
