export function ResultScreen() {
  return <h1>Result</h1>;
}
