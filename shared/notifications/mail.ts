/** One mail to one address. No member may hold a line break but the bodies; header names are lower case. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
}
