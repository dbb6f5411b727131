import JSONCoding
import Logging
import Monitoring
import NIOCore
import PhotolalaAPI
import UseCases

/// A call of a use case with JSON and without HTTP. Bodies and errors have the form of the API.
package enum DirectCall {
    /// Decodes an input.
    /// - Throws: An error for `problem`.
    package static func decode<Body: Decodable>(_ type: Body.Type, _ bytes: ByteBuffer) throws -> Body {
        try JSONExchange.decode(type, bytes)
    }

    /// Encodes an answer.
    package static func encode(_ answer: some Encodable) throws -> ByteBuffer {
        ByteBuffer(bytes: try CompactJSON.encode(answer))
    }

    /// Returns the problem document of any error with the seconds to wait before a retry, and logs the details that must
    /// not reach the client.
    package static func failure(
        _ error: any Error, requestID: String, _ logger: Logger
    ) -> (problem: Problem, retryAfter: Int?) {
        let answer = ErrorMapping.errorResponse(to: error)
        if let reason = answer.reason {
            logger.log(
                level: answer.status.code >= 500 ? .error : .info, .requestRejected, "request rejected",
                metadata: ["code": "\(answer.code)", "reason": "\(reason)"])
        }
        return (answer.problem(requestID), answer.retryAfter)
    }
}
