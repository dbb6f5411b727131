import Foundation
import PhotolalaTesting
import Synchronization

/// Given once and never again: who asked for a port may not listen on it yet, or no more for the moment.
private let given = Mutex<Set<Int>>([])

/// A port that nobody listens on. None of those that a system gives to outgoing connections: one of them would be gone by
/// the time a server asks for it.
func freePort() throws -> Int {
    for _ in 0..<100 {
        let port = Int.random(in: 20_000..<32_000)
        if given.withLock({ $0.insert(port).inserted }), isFree(port) { return port }
    }
    throw ConformanceFailure("no free port")
}

/// Asks with a socket that no process inherits which is started at this moment.
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
