/* cuda/peers.h: devices that reach each other's memory. */
#ifndef CUPRIC_CUDA_PEERS_H
#define CUPRIC_CUDA_PEERS_H

/* Let two devices reach each other's memory, if they can: copies are faster then. Asked
 * before every copy, it does so once. */
void cu_cuda_peers_connect(int a, int b);

#endif
