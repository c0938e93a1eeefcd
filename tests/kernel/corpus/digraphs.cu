//: x = np.zeros(2, dtype="i4")
//: k[1, 1](x)
//: x == [1, 2]
%:define TWO 2
__device__ int first(int v<:2:>) <% return v<:0:>; %>
extern "C" __global__ void k(int *x)
<%
    int v<::> = <%1, TWO%>;
    x<:0:> = first(v);
    x[1] = v[1] and not false ? TWO : 0;
%>
