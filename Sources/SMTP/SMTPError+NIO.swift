import Foundation
import NIOCore
import NIOPosix
import NIOSSL

extension SMTPError {
    /// Converts an error of the connection.
    init(_ error: any Error) {
        switch error {
        case let error as SMTPError: self = error
        case is NIOSSLExtraError: self = .tls("the certificate is for another name")
        case is NIOSSLError, is BoringSSLError: self = .tls(Self.tlsReason(error))
        case is ByteToMessageDecoderError: self = .malformedReply
        case is NIOConnectionError, is ChannelError, is IOError, is SocketAddressError:
            self = .notConnected(Self.reason(error))
        default: self = .closed
        }
    }

    private static func tlsReason(_ error: any Error) -> String {
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") { return "the certificate is not trusted" }
        if text.contains("WRONG_VERSION_NUMBER") { return "the server does not speak TLS on this port" }
        return "the handshake failed"
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first { return reason(first.error) }
            return error.dnsAError == nil && error.dnsAAAAError == nil ? "no address" : "the host is unknown"
        case let error as IOError where error.errnoCode == ECONNREFUSED: return "refused"
        case let error as IOError: return String(cString: strerror(error.errnoCode))
        default: return String("\(error)".prefix(100))
        }
    }
}
