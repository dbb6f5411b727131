import Foundation
import HTTPTypes
import NIOCore
import S3Protocol
import Transport

/// The answer of a function of AWS Lambda.
package enum FunctionAnswer: Equatable, Sendable {
    case value(ByteBuffer)
    /// The error that the function, or Lambda for it, reported.
    case error(ByteBuffer)
}

/// Invokes functions of AWS Lambda and waits for their answers (`Invoke`). The permission is `lambda:InvokeFunction`.
package struct FunctionInvoker: Sendable {
    /// Why an invocation has no answer.
    package enum Failure: Error, Equatable, Sendable {
        case transport(TransportError)
        /// AWS does not allow these keys to invoke the function, does not know them, or has no such function.
        case rejected(String)
        /// Too many invocations, with the seconds to wait before a retry if AWS names them.
        case throttled(retryAfter: Int?)
        case unavailable(String)
    }

    private let keys: AWSCredentials
    private let region: String
    private let endpoint: String
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date

    /// - Parameter endpoint: The URL of the service; AWS's own if `nil`.
    package init(
        keys: AWSCredentials, region: String, endpoint: String? = nil, transport: any HTTPTransport,
        now: @escaping @Sendable () -> Date
    ) {
        (self.keys, self.region, self.transport, self.now) = (keys, region, transport, now)
        self.endpoint = endpoint ?? ServiceEndpoint.aws("lambda", region: region)
    }

    /// Invokes a function once.
    /// - Parameters:
    ///   - name: ASCII letters, digits, `-` and `_`.
    ///   - timeout: The time limit until the end of the answer.
    ///   - limit: The largest answer, in bytes.
    package func invoke(
        _ name: String, event: ByteBuffer, timeout: Duration, limit: Int
    ) async throws(Failure) -> FunctionAnswer {
        guard let endpoint = ServiceEndpoint(endpoint) else {
            throw .transport(.notSent("malformed endpoint of AWS Lambda"))
        }
        let response: TransportResponse
        let bytes: ByteBuffer
        do throws(TransportError) {
            response = try await transport.send(signed(name, event, endpoint, timeout, limit))
            bytes = try await response.collect(limit: limit)
        } catch {
            throw .transport(error)
        }
        switch response.status {
        case 200: return Self.field("X-Amz-Function-Error", response) == nil ? .value(bytes) : .error(bytes)
        case 429: throw .throttled(retryAfter: response.headers[.retryAfter].flatMap { Int($0) })
        // The function is being created or updated.
        case 409: throw .unavailable(Self.code(response))
        case 400..<500: throw .rejected(Self.code(response))
        default: throw .unavailable(Self.code(response))
        }
    }

    private func signed(
        _ name: String, _ event: ByteBuffer, _ endpoint: ServiceEndpoint, _ timeout: Duration, _ limit: Int
    ) -> TransportRequest {
        let path = "\(endpoint.path)/2015-03-31/functions/\(name)/invocations"
        var headers: HTTPFields = [.contentType: "application/json"]
        let signer = RequestSigner(credentials: keys, region: region, service: "lambda", pathNormalization: .standard)
        let signable = SignableRequest(method: "POST", host: endpoint.host, path: path, headers: headers)
        let signed = signer.sign(signable, payload: .of(Data(event.readableBytesView)), at: now())
        headers.append(contentsOf: signed.headers)
        return TransportRequest(
            method: .post, url: "\(endpoint.scheme)://\(endpoint.host)\(path)", headers: headers, body: .bytes(event),
            timeout: timeout, collectedLength: limit)
    }

    /// Returns the name of AWS's error, as sent in its header.
    private static func code(_ response: TransportResponse) -> String {
        field("x-amzn-ErrorType", response)?.split(separator: ":").first.map(String.init) ?? "HTTP \(response.status)"
    }

    private static func field(_ name: String, _ response: TransportResponse) -> String? {
        HTTPField.Name(name).flatMap { response.headers[$0] }
    }
}
