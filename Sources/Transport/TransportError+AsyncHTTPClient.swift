import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

extension TransportError {
    /// Classifies the client's failures. Only those before a connection exists, or that the client finds in the
    /// request itself, prove that nothing was sent; after all others the outcome is unknown.
    init(_ error: any Error) {
        if let reason = Self.distrust(error) {
            self = .serverNotTrusted(reason)
            return
        }
        let isSureNotSent =
            switch error {
            case let error as HTTPClientError: Self.occursBeforeSending(error)
            case let error as ChannelError: Self.isConnectTimeout(error)
            // The only system error that no established connection can have.
            case let error as IOError: error.errnoCode == ECONNREFUSED
            default: error is NIOConnectionError
            }
        self = isSureNotSent ? .notSent(Self.words(error)) : .connectionLost("\(error)")
    }

    /// Returns why there was no connection, as a clause for people.
    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            error.connectionErrors.last.map { words($0.error) } ?? "no address found for \(error.host)"
        case let error as IOError: words(systemError: error.errnoCode)
        case let error as ChannelError where isConnectTimeout(error): "no connection within the time limit"
        case let error as HTTPClientError: words(client: error)
        default: "connection failed"
        }
    }

    private static func words(client error: HTTPClientError) -> String {
        switch error {
        case .connectTimeout: "no connection within the time limit"
        case .tlsHandshakeTimeout: "no secure connection within the time limit"
        case .getConnectionFromPoolTimeout: "no free connection within the time limit"
        case .invalidURL, .emptyHost: "invalid URL"
        case .proxyAuthenticationRequired: "the proxy requires authentication"
        case .socksHandshakeTimeout, .httpProxyHandshakeTimeout, .invalidProxyResponse:
            "the proxy does not respond as documented"
        default: "connection failed"
        }
    }

    private static func words(systemError number: CInt) -> String {
        switch number {
        case ECONNREFUSED: "connection refused"
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: "no route to the host"
        case ETIMEDOUT: "no connection within the time limit"
        default: "connection failed (\(String(cString: strerror(number))))"
        }
    }

    private static func distrust(_ error: any Error) -> String? {
        switch error {
        case is PublicKeyPins.Mismatch: "its public key is not one of the pinned keys"
        case let error as NIOSSLError where "\(error)".contains("CERTIFICATE_VERIFY_FAILED"):
            "its certificate is not valid or its issuer is unknown"
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            "its certificate is for another name"
        default: nil
        }
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
