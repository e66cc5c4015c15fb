export interface CephPlace {
  readonly folder: string
  readonly clusterId: string
  readonly monitorPort: number
  readonly gatewayPort: number
}

/**
 * A cluster of one, with one copy of everything, in memory.
 *
 * Few placement groups, because each costs time at the start; no warnings about
 * what a cluster of one lacks; and no rejection because the disk of the machine,
 * on which only logs lie, is nearly full.
 */
export function cephConfig({ folder, clusterId, monitorPort, gatewayPort }: CephPlace): string {
  return `[global]
fsid = ${clusterId}
mon host = [v2:127.0.0.1:${monitorPort}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
auth allow insecure global id reclaim = false
keyring = ${folder}/keyring

run dir = ${folder}
admin socket = ${folder}/$name.asok
pid file = ${folder}/$name.pid
log file = ${folder}/logs/$name.log
mon data = ${folder}/mon
osd data = ${folder}/osd
rgw data = ${folder}/rgw

osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon osd min in ratio = 0
mon data avail crit = 1
osd objectstore = memstore
memstore device bytes = 1073741824

rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw rados pool pg num min = 4
rgw thread pool size = 32
rgw enable usage log = false
`
}
