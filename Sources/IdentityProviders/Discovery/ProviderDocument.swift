import HTTPTypes
import NIOCore
import Transport

/// A JSON document that a provider publishes.
enum ProviderDocument {
    /// The time for each of at most two attempts.
    private static let attemptTimeout = Duration.seconds(5)

    /// Fetches the whole document.
    /// - Parameter limit: the largest accepted body, in bytes.
    static func get(
        _ url: String, limit: Int, _ transport: any HTTPTransport
    ) async throws(KeySetError) -> (headers: HTTPFields, body: ByteBuffer) {
        let request = TransportRequest(
            method: .get, url: url, headers: [.accept: "application/json"], timeout: attemptTimeout)
        do {
            let response = try await send(request, transport)
            let mediaType = response.headers[.contentType]?.lowercased() ?? ""
            guard response.status == 200, mediaType.contains("json") else {
                throw KeySetError.unexpectedStatus(status: response.status)
            }
            return (response.headers, try await response.collect(limit: limit))
        } catch let error as KeySetError {
            throw error
        } catch {
            switch error as? TransportError {
            case .notSent(let reason), .serverNotTrusted(let reason), .connectionLost(let reason):
                throw .unreachable(reason)
            case .noResponse(let time): throw .unreachable("no response for \(time)")
            case .tooLarge: throw .tooLarge
            case nil: throw .unreachable("\(error)")
            }
        }
    }

    /// Sends a GET, and once more if the connection was lost: the provider may have closed an idle one just then.
    private static func send(
        _ request: TransportRequest, _ transport: any HTTPTransport
    ) async throws(TransportError) -> TransportResponse {
        do {
            return try await transport.send(request)
        } catch {
            guard case .connectionLost = error, !Task.isCancelled else { throw error }
            return try await transport.send(request)
        }
    }
}
