import NIOCore
import Synchronization

/// Counts a listener's connections, in total and per client.
final class ConnectionCounts: Sendable {
    /// An IPv6 client is identified by its /64; IPv4-mapped IPv6 addresses count as IPv4.
    private enum Client: Hashable, Sendable {
        case address(UInt32)
        case network(UInt64)
    }

    private struct State {
        var total = 0
        var clients: [Client: Int] = [:]
    }

    private let limits: ConnectionLimits
    private let state = Mutex(State())

    init(_ limits: ConnectionLimits) { self.limits = limits }

    /// Counts a connection.
    /// - Returns: `false` if a limit is reached.
    func admit(from address: SocketAddress?) -> Bool {
        let client = client(address)
        return state.withLock { state in
            guard state.total < limits.connections else { return false }
            if let client {
                guard state.clients[client, default: 0] < limits.connectionsPerAddress else { return false }
                state.clients[client, default: 0] += 1
            }
            state.total += 1
            return true
        }
    }

    /// Removes a counted connection that has ended.
    func release(from address: SocketAddress?) {
        let client = client(address)
        state.withLock { state in
            state.total -= 1
            guard let client, let count = state.clients[client] else { return }
            state.clients[client] = count > 1 ? count - 1 : nil
        }
    }

    private func client(_ address: SocketAddress?) -> Client? {
        guard limits.connectionsPerAddress > 0, let address, !limits.isProxy(address) else { return nil }
        switch address {
        case .v4(let address):
            return .address(withUnsafeBytes(of: address.address.sin_addr) { $0.load(as: UInt32.self).bigEndian })
        case .v6(let address):
            let number = withUnsafeBytes(of: address.address.sin6_addr) { bytes in
                bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            }
            let isMapped = number >> 32 == 0xffff
            return isMapped
                ? .address(UInt32(truncatingIfNeeded: number)) : .network(UInt64(truncatingIfNeeded: number >> 64))
        case .unixDomainSocket: return nil
        }
    }
}

/// Closes a connection beyond the limit immediately.
final class ConnectionCountHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let counts: ConnectionCounts
    private var address: SocketAddress?
    private var isCounted = false

    init(_ counts: ConnectionCounts) { self.counts = counts }

    func channelActive(context: ChannelHandlerContext) {
        address = context.remoteAddress
        isCounted = counts.admit(from: address)
        guard isCounted else { return context.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isCounted { counts.release(from: address) }
        isCounted = false
        context.fireChannelInactive()
    }
}
