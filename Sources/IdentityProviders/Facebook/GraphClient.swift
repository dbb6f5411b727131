import Foundation
import HTTPTypes
import JWS
import Transport

/// Asks Facebook's Graph API. What is asked holds secrets, so nothing of it gets into an error or a log.
struct GraphClient: Sendable {
    /// Largest answer read, in bytes.
    static let maximumSize = 64 << 10
    /// How long one call may take.
    static let timeout = Duration.seconds(5)

    /// Without a slash at the end.
    let url: String
    let transport: any HTTPTransport

    /// The members of an answer. What did not arrive, or broke at Facebook, is asked once more.
    func get(_ path: String, _ query: [(name: String, value: String?)]) async throws(GraphError) -> [String: JSONValue]
    {
        let request = TransportRequest(
            method: .get, url: "\(url)/\(path)?\(String(buffer: FormBody.encode(query)))",
            headers: [.accept: "application/json"], timeout: Self.timeout
        )
        do {
            return try await send(request)
        } catch {
            guard error == .unavailable else { throw error }
            return try await send(request)
        }
    }

    private func send(_ request: TransportRequest) async throws(GraphError) -> [String: JSONValue] {
        let status: Int
        let members: [String: JSONValue]?
        do {
            let response = try await transport.send(request)
            status = response.status
            let body = try await response.collect(limit: Self.maximumSize)
            members = (try? JSONReader.read(body.readableBytesView))?.object
        } catch {
            throw .unavailable
        }
        guard let members else { throw .unavailable }
        if status == 200, members["error"] == nil { return members }
        guard (400...403).contains(status) || status == 200, let error = members["error"]?.object else {
            throw .unavailable
        }
        var code: Int?
        if case .number(let number)? = error["code"] { code = Int(exactly: number) }
        // Facebook's own trouble, and too many requests of ours, come with 4xx too.
        let isPassing = error["is_transient"] == .bool(true) || [1, 2, 4, 17, 32, 341, 368, 613].contains(code)
        throw isPassing ? .unavailable : .refused(code)
    }
}

/// Why the Graph API gave no answer.
enum GraphError: Error, Equatable {
    /// With Facebook's code, where it names one.
    case refused(Int?)
    case unavailable

    /// A value that was asked about is not one for the app that asks.
    static let badParameter = 100
    /// The access token that asks is not good.
    static let badAccessToken = 190
}
