import Foundation
import HTTPTypes
import JSONCoding
import NIOCore
import Transport

/// The runtime API over HTTP (AWS Lambda Developer Guide, "Using the Lambda runtime API for custom runtimes").
package struct RuntimeClient: RuntimeAPI {
    /// Longer than any environment lives: the wait for an invocation has no limit.
    package static let unlimited = Duration.seconds(365 * 86_400)
    /// The time limit of all other calls.
    private static let timeout = Duration.seconds(10)
    /// More than an event can have.
    private static let eventLimit = PayloadLimit.bytes + (1 << 20)

    private let base: String
    private let transport: any HTTPTransport

    /// - Parameters:
    ///   - address: The host and port of the runtime API, as in `AWS_LAMBDA_RUNTIME_API`.
    ///   - transport: Without limits of its own below `unlimited`.
    package init(address: String, transport: any HTTPTransport) {
        base = "http://\(address)/2018-06-01/runtime"
        self.transport = transport
    }

    package func next() async throws(RuntimeAPIError) -> Invocation {
        let request = TransportRequest(
            method: .get, url: "\(base)/invocation/next", timeout: Self.unlimited, collectedLength: Self.eventLimit)
        let (response, event) = try await send(request, limit: Self.eventLimit)
        guard response.status == 200 else { throw .unexpectedStatus(response.status) }
        guard let id = Self.value("Lambda-Runtime-Aws-Request-Id", response), Self.isUsable(id),
            let deadline = Self.value("Lambda-Runtime-Deadline-Ms", response).flatMap(Int64.init)
        else { throw .malformedInvocation }
        return Invocation(id: id, deadline: Date(timeIntervalSince1970: Double(deadline) / 1000), event: event)
    }

    package func answer(_ id: String, _ bytes: ByteBuffer) async throws(RuntimeAPIError) {
        try await post("invocation/\(id)/response", bytes)
    }

    package func fail(_ id: String, _ failure: InvocationFailure) async throws(RuntimeAPIError) {
        try await post("invocation/\(id)/error", failure)
    }

    package func failInitialization(_ failure: InvocationFailure) async throws(RuntimeAPIError) {
        try await post("init/error", failure)
    }

    private func post(_ path: String, _ failure: InvocationFailure) async throws(RuntimeAPIError) {
        let bytes = (try? CompactJSON.encode(failure)) ?? []
        var headers: HTTPFields = [:]
        if let type = HTTPField.Name("Lambda-Runtime-Function-Error-Type") { headers[type] = failure.errorType }
        try await post(path, ByteBuffer(bytes: bytes), headers)
    }

    private func post(
        _ path: String, _ bytes: ByteBuffer, _ headers: HTTPFields = [:]
    ) async throws(RuntimeAPIError) {
        var headers = headers
        headers[.contentType] = "application/json"
        let request = TransportRequest(
            method: .post, url: "\(base)/\(path)", headers: headers, body: .bytes(bytes), timeout: Self.timeout,
            collectedLength: 64 << 10)
        let (response, _) = try await send(request, limit: 64 << 10)
        guard response.status != 413 else { throw .tooLarge }
        guard (200..<300).contains(response.status) else { throw .unexpectedStatus(response.status) }
    }

    private func send(
        _ request: TransportRequest, limit: Int
    ) async throws(RuntimeAPIError) -> (TransportResponse, ByteBuffer) {
        do throws(TransportError) {
            let response = try await transport.send(request)
            return (response, try await response.collect(limit: limit))
        } catch {
            throw .unreachable("\(error)")
        }
    }

    private static func value(_ name: String, _ response: TransportResponse) -> String? {
        HTTPField.Name(name).flatMap { response.headers[$0] }
    }

    /// The id becomes a segment of URLs.
    private static func isUsable(_ id: String) -> Bool {
        !id.isEmpty
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
