import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Monitoring
import NIOCore
import OperatorServer
import Operators
import PhotolalaTesting
import Testing
import UseCases

/// A service with its operators' listener and a key of each role.
struct OperatorFixture: Sendable {
    let service: TestService
    let keys: [OperatorRole: String]
    let history: MetricHistory

    /// The jobs that the deployment runs.
    static let jobs = SharedJob.allCases.filter { $0 != .missedNotifications }

    /// A call of the API.
    struct Call: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let path: String
        let action: OperatorAction
        var body: String?

        var testDescription: String { "\(method) \(path)" }
    }

    init() async throws {
        service = try await TestService.make()
        var keys: [OperatorRole: String] = [:]
        for role in OperatorRole.allCases {
            let made = try await service.services.operators.calls.keys.create(
                name: "\(role.rawValue)-key", role: role, endsAt: nil)
            keys[role] = made.secret.description
        }
        self.keys = keys
        history = MetricHistory(MetricRegistry(ServiceMetric.all), now: { Date(timeIntervalSince1970: 0) })
    }

    /// Runs a test against the operators' listener.
    func exchange(_ test: @escaping @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        let clock = service.clock
        let server = try buildOperatorServer(
            OperatorServerSettings(
                address: .hostname("127.0.0.1", port: 0), hosts: .addresses(and: ["ops.example.com"])),
            services: service.services.operators,
            jobs: JobOverview(
                Self.jobs, leases: service.services.operators.leases, countingUsageEvery: .seconds(86_400),
                now: { clock.now }),
            metrics: MetricRegistry(ServiceMetric.all), history: history, keyRing: service.components.keyRing,
            randomness: service.components.randomness, now: { clock.now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await server.test(.router, test)
    }

    /// Sends a call with a key and a reason.
    func send(
        _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String, as role: OperatorRole?,
        reason: String? = "ticket-1", body: String? = nil, headers extra: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = extra
        if let key = role.flatMap({ keys[$0] }) { headers[.authorization] = "Bearer \(key)" }
        if let name = HTTPField.Name("Photolala-Reason"), let reason { headers[name] = reason }
        if body != nil { headers[.contentType] = "application/json" }
        return try await client.execute(
            uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }

    /// Returns the members of a JSON answer.
    func members(_ response: TestResponse) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
    }

    /// Returns all recorded calls of the test's day.
    func recorded() async throws -> [OperatorCall] {
        try await service.services.operators.calls.log.calls(
            on: OperatorLog.day(of: service.clock.now), after: nil, limit: OperatorLog.maximumPage
        ).calls
    }
}
