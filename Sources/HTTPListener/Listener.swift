import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Runs one of the server's listeners, and reports the reason if it cannot listen.
package struct Listener: Service {
    private let server: any Service
    private let address: String
    private let setting: String

    /// - Parameters:
    ///   - address: The listening address, for error messages.
    ///   - setting: The setting that changes the address.
    package init(_ server: some ApplicationProtocol, at address: String, setting: String) {
        self.server = server
        self.address = address
        self.setting = setting
    }

    /// Runs until the service is shut down.
    /// - Throws: `ListenerError` if it cannot listen at the address.
    package func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            throw ListenerError(reason: .init(error.errnoCode), address: address, setting: setting)
        } catch is SocketAddressError {
            throw ListenerError(reason: .unknownHost, address: address, setting: setting)
        }
    }
}

/// The reason why a listener cannot listen.
package struct ListenerError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case addressInUse, addressNotAvailable, permissionDenied, unknownHost
        /// The system's error number for any other reason.
        case system(Int32)

        init(_ number: Int32) {
            switch number {
            case EADDRINUSE: self = .addressInUse
            case EADDRNOTAVAIL: self = .addressNotAvailable
            case EACCES, EPERM: self = .permissionDenied
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
            case .system(let number): "cannot listen on \(address) (error \(number))"
            }
        return "\(problem). Choose another address with \(setting)"
    }
}
