/** Where clouds hand out a machine's credentials. Each is from its vendor's documentation. */

/** As ipaddr.js writes them. */
export const metadataAddresses: ReadonlySet<string> = new Set([
  // AWS, Azure, Google, DigitalOcean, Hetzner, Vultr, OpenStack, IBM, Oracle.
  "169.254.169.254",
  "fd00:ec2::254",
  "fd20:ce::254",
  "fe80::a9fe:a9fe",
  // AWS: credentials of ECS tasks and of EKS pods, the resolver, the clock.
  "169.254.170.2",
  "169.254.170.23",
  "169.254.169.253",
  "169.254.169.123",
  "fd00:ec2::23",
  "fd00:ec2::253",
  // Azure's wire server: a public address that only its own machines reach.
  "168.63.129.16",
  // Alibaba, Oracle (older images), Tencent, Scaleway.
  "100.100.100.200",
  "192.0.0.192",
  "169.254.0.23",
  "169.254.42.42",
  "fd00:42::42",
]);

export const metadataNames: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.com",
  "metadata.azure.internal",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.tencentyun.com",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "api.metadata.cloud.ibm.com",
  "metadata.aliyun.com",
  "metadata.oraclecloud.com",
  "rancher-metadata",
]);
