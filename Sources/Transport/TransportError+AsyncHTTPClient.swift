import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

extension TransportError {
    /// Classifies the client's failures. Only those before a connection exists, or that the client finds in the
    /// request itself, prove that nothing was sent; after all others the outcome is unknown.
    init(_ error: any Error) {
        let isSureNotSent =
            switch error {
            case let error as HTTPClientError: Self.occursBeforeSending(error)
            case let error as ChannelError: Self.isConnectTimeout(error)
            // The only system error that no established connection can have.
            case let error as IOError: error.errnoCode == ECONNREFUSED
            default: error is NIOConnectionError
            }
        self = isSureNotSent ? .notSent("\(error)") : .connectionLost("\(error)")
    }

    private static func occursBeforeSending(_ error: HTTPClientError) -> Bool {
        switch error {
        case .invalidURL, .emptyHost, .alreadyShutdown, .connectTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout,
            .httpProxyHandshakeTimeout, .getConnectionFromPoolTimeout, .proxyAuthenticationRequired,
            .invalidProxyResponse, .traceRequestWithBody:
            true
        default: false
        }
    }

    private static func isConnectTimeout(_ error: ChannelError) -> Bool {
        if case .connectTimeout = error { true } else { false }
    }
}
