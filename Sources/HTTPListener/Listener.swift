import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Runs one of the server's listeners, and reports the reason if it cannot listen.
package struct Listener: Service {
    private let server: any Service
    /// `nil` for a network address.
    private let socket: SocketFile?
    private let address: String
    private let setting: String

    /// - Parameters:
    ///   - address: The listening address, for error messages.
    ///   - setting: The setting that changes the address.
    package init(_ server: some ApplicationProtocol, at address: String, setting: String) {
        self.server = server
        self.socket = nil
        self.address = address
        self.setting = setting
    }

    /// Creates a listener on a Unix domain socket, to which its owner and group can connect.
    /// - Parameters:
    ///   - server: The application, whose own address is not used.
    ///   - path: The absolute path of the socket's file, at most 100 bytes. An unused socket there is replaced.
    ///   - setting: The setting that changes the path.
    package init(_ server: some ApplicationProtocol, onSocket path: String, setting: String) {
        let socket = SocketFile(path)
        self.server = SocketApplication(base: server, socket: socket)
        self.socket = socket
        self.address = "unix:\(path)"
        self.setting = setting
    }

    /// Runs until the service is shut down.
    /// - Throws: `ListenerError` if it cannot listen at the address.
    package func run() async throws {
        do {
            // Connections are accepted on an event loop: behind the requests that compute, they would wait for seconds.
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            try await withTaskExecutorPreference(EventLoopExecutor(loop)) {
                if let socket {
                    try await socket.serve { try await server.run() }
                } else {
                    try await server.run()
                }
            }
        } catch let reason as ListenerError.Reason {
            throw ListenerError(reason: reason, address: address, setting: setting)
        } catch let error as IOError {
            throw ListenerError(reason: .init(error.errnoCode), address: address, setting: setting)
        } catch is SocketAddressError {
            throw ListenerError(reason: .unknownHost, address: address, setting: setting)
        }
    }
}

/// The reason why a listener cannot listen.
package struct ListenerError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Error, Equatable {
        case addressInUse, addressNotAvailable, permissionDenied, unknownHost
        /// The folder of a socket does not exist.
        case missingFolder
        /// The path of a socket is that of another file.
        case notSocket
        /// The system's error number for any other reason.
        case system(Int32)

        init(_ number: Int32) {
            switch number {
            case EADDRINUSE: self = .addressInUse
            case EADDRNOTAVAIL: self = .addressNotAvailable
            case EACCES, EPERM, EROFS: self = .permissionDenied
            case ENOENT, ENOTDIR: self = .missingFolder
            default: self = .system(number)
            }
        }
    }

    package let reason: Reason
    package let address: String
    package let setting: String

    /// A sentence for the operator.
    package var description: String {
        let problem =
            switch reason {
            case .addressInUse: "\(address) is already in use"
            case .addressNotAvailable: "\(address) is not an address of this machine"
            case .permissionDenied: "permission denied to listen on \(address)"
            case .unknownHost: "unknown host in \(address)"
            case .missingFolder: "the folder of \(address) does not exist"
            case .notSocket: "\(address) is a file that is not a socket, and is not replaced"
            case .system(let number): "cannot listen on \(address): \(String(cString: strerror(number)))"
            }
        return "\(problem). Choose another address with \(setting)"
    }
}

/// Serves an application on a Unix domain socket.
private struct SocketApplication<Base: ApplicationProtocol>: ApplicationProtocol {
    let base: Base
    let socket: SocketFile

    var responder: Base.Responder { get async throws { try await base.responder } }
    var server: HTTPServerBuilder { base.server }
    var eventLoopGroup: any EventLoopGroup { base.eventLoopGroup }
    var configuration: ApplicationConfiguration {
        var configuration = base.configuration
        configuration.address = .unixDomainSocket(path: socket.bindingPath)
        return configuration
    }
    var logger: Logger { base.logger }
    var services: [any Service] { base.services }
    var processesRunBeforeServerStart: [@Sendable () async throws -> Void] { base.processesRunBeforeServerStart }

    func onServerRunning(_ channel: any Channel) async {
        if await socket.publish() {
            await base.onServerRunning(channel)
        } else {
            channel.close(promise: nil)
        }
    }
}
