import Foundation
import PhotolalaTesting
import Synchronization

/// Ports are never returned twice: a caller may not listen yet, or may have stopped temporarily.
private let given = Mutex<Set<Int>>([])

/// Returns a port without a listener, outside the ephemeral range: an ephemeral port could be taken before the server
/// binds it.
func freePort() throws -> Int {
    for _ in 0..<100 {
        let port = Int.random(in: 20_000..<32_000)
        if given.withLock({ $0.insert(port).inserted }), isFree(port) { return port }
    }
    throw ConformanceFailure("no free port")
}

/// Tests the port with a socket that concurrently started processes do not inherit.
private func isFree(_ port: Int) -> Bool {
    #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #else
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
