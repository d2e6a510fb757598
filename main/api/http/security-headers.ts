import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Security headers of every answer. Only the API page runs scripts; it has a policy of its own.
 * HSTS and `upgrade-insecure-requests` are off: the appliance speaks plain HTTP, on loopback or
 * behind a proxy that adds them.
 */
export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    frameguard: { action: 'deny' },
  });
}
