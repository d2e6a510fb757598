import { measure } from './measure.ts';
console.log(JSON.stringify(await measure('api', Number(process.argv[2]), Number(process.argv[3])), null, 1));
