import Foundation
import HTTPTypes
import JSONCoding
import Transport

/// A client of Facebook's Graph API. Requests contain secrets, so errors and logs never include request data.
struct GraphClient: Sendable {
    /// The largest accepted response, in bytes.
    static let maximumSize = 64 << 10
    /// The timeout of one call.
    static let timeout = Duration.seconds(5)

    /// The base URL, without a trailing slash.
    let url: String
    let transport: any HTTPTransport

    /// Returns the members of a response. Retries once after a transport error or a transient error of Facebook.
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
        // Transient errors and rate limits also have 4xx statuses.
        let isPassing = error["is_transient"] == .bool(true) || [1, 2, 4, 17, 32, 341, 368, 613].contains(code)
        throw isPassing ? .unavailable : .refused(code)
    }
}

/// An error of the Graph API.
enum GraphError: Error, Equatable {
    /// Facebook refused the request, with its error code if there is one.
    case refused(Int?)
    case unavailable

    /// A parameter does not belong to the requesting app.
    static let badParameter = 100
    /// The access token of the request is invalid.
    static let badAccessToken = 190
}
