import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

extension TransportError {
    /// Sorts the client's failures. Only those that happen before a connection exists, or that the client finds in the
    /// request itself, prove that nothing was sent; whatever else goes wrong leaves the outcome open.
    init(_ error: any Error) {
        let isSureNotSent =
            switch error {
            case let error as HTTPClientError: Self.comesBeforeSending(error)
            case let error as ChannelError: Self.isConnectTimeout(error)
            // The one system error that no established connection has.
            case let error as IOError: error.errnoCode == ECONNREFUSED
            default: error is NIOConnectionError
            }
        self = isSureNotSent ? .notSent("\(error)") : .connectionLost("\(error)")
    }

    private static func comesBeforeSending(_ error: HTTPClientError) -> Bool {
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
