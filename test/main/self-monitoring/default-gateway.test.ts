import { expect, test } from 'vitest';
import {
  gatewaysInRouteFile,
  gatewaysInRouteFileV6,
  gatewaysInTable,
} from '#main/self-monitoring/default-gateway.ts';
import { resolversIn } from '#main/self-monitoring/find-probes.ts';

const ROUTES = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	010200C0	0003	0	0	0	00000000	0	0	0
wlan0	00000000	FE64A8C0	0003	0	0	600	00000000	0	0	0
eth0	000200C0	00000000	0001	0	0	0	00FFFFFF	0	0	0
tun0	00000000	00000000	0001	0	0	0	00000000	0	0	0
tun0	00000000	0100080A	0003	0	0	0	00000080	0	0	0
`;

test('the gateways of default routes are read from the routes of Linux', () => {
  expect(gatewaysInRouteFile(ROUTES)).toEqual(['192.0.2.1', '192.168.100.254']);
  expect(gatewaysInRouteFile('')).toEqual([]);
});

const none = '0'.repeat(32);
const rest = '00000400 00000003 00000000 00000003';
const ROUTES_V6 = `fd000000000000000000000000000000 40 ${none} 00 ${none} ${rest}     eth0
${none} 00 ${none} 00 fd000000000000000000000000000001 ${rest}     eth0
${none} 00 ${none} 00 fe80000000000000021122fffe334455 ${rest}    wlan0
${none} 00 ${none} 00 ${none} ffffffff 00000001 00000000 00200200       lo
`;

test('with IPv6 a link-local gateway is named with its interface', () => {
  expect(gatewaysInRouteFileV6(ROUTES_V6)).toEqual([
    'fd00:0000:0000:0000:0000:0000:0000:0001',
    'fe80:0000:0000:0000:0211:22ff:fe33:4455%wlan0',
  ]);
  expect(gatewaysInRouteFileV6('')).toEqual([]);
});

const MAC = `Routing tables

Internet:
Destination        Gateway            Flags           Netif Expire
default            192.168.1.1        UGScg             en0
default            link#21            UCSIg       bridge100      !
127                127.0.0.1          UCS               lo0
192.168.1          link#6             UCS               en0      !

Internet6:
default                                 fe80::%utun0                            UGcIg               utun0
`;
const WINDOWS = `IPv4 Route Table
===========================================================================
Active Routes:
Network Destination        Netmask          Gateway       Interface  Metric
          0.0.0.0          0.0.0.0      192.168.7.1    192.168.7.30     25
          0.0.0.0          0.0.0.0         On-link        10.8.0.2       5
        127.0.0.0        255.0.0.0         On-link         127.0.0.1    331
`;

test.each([
  ['macOS', MAC, ['192.168.1.1', 'fe80::%utun0']],
  ['Windows', WINDOWS, ['192.168.7.1']],
  ['a system without such a program', '', []],
])('the gateways of default routes are read from the table of %s', (_name, table, gateways) => {
  expect(gatewaysInTable(table)).toEqual(gateways);
});

test('name servers are read from a resolv.conf, but for those with a zone', () => {
  const text = `# nameserver 192.0.2.9
nameserver 192.0.2.53
  nameserver 2001:db8::53
nameserver fe80::1%eth0
options edns0
search example.com
`;
  expect(resolversIn(text)).toEqual(['192.0.2.53', '2001:db8::53']);
});
