import Accounts
import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import Transport
import Webhooks

/// Tests the sent requests and which responses mean that an event was accepted.
@Suite struct WebhookSenderTests {
    private static let secrets = ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "C2FVsBQIhrscChlQIMV+b5sSYspob7oD"]

    /// Returns the same response to every request and records the requests.
    private final class Receiver: HTTPTransport {
        let requests = Mutex<[TransportRequest]>([])
        let response: @Sendable () throws(TransportError) -> (Int, HTTPFields)

        init(_ response: @escaping @Sendable () throws(TransportError) -> (Int, HTTPFields)) {
            self.response = response
        }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            requests.withLock { $0.append(request) }
            let (status, headers) = try response()
            return TransportResponse(status: status, headers: headers, body: AsyncThrowingStream { $0.finish() })
        }
    }

    /// Returns a real event, from a sign-up.
    private func event() async throws -> AccountEvent {
        let recorder = RecordingEventReceiver()
        var options = TestService.Options()
        options.eventReceiver = recorder
        let service = try await TestService.make(options)
        _ = try await service.signUp(.apple, "bob", email: "bob@icloud.com")
        service.clock.advance(by: 61)
        try await service.services.eventDelivery.deliverEvents()
        return try #require(recorder.events.first)
    }

    private func sender(_ receiver: Receiver, _ clock: TestClock = TestClock()) -> WebhookSender {
        let secrets = Self.secrets.compactMap { WebhookSecret("whsec_\($0)") }
        let settings = WebhookSettings(url: "https://app.example/hooks?a=b", secrets: secrets)
        return WebhookSender(settings: settings, transport: receiver, now: { clock.now })
    }

    private func refusal(
        _ clock: TestClock = TestClock(), _ response: @escaping @Sendable () throws(TransportError) -> (Int, HTTPFields)
    ) async throws -> EventRejection? {
        let event = try await event()
        do throws(EventRejection) {
            try await sender(Receiver(response), clock).receive(event)
            return nil
        } catch {
            return error
        }
    }

    @Test("an event is posted with its id, the time of the attempt and a signature for each secret")
    func request() async throws {
        let receiver = Receiver { () throws(TransportError) in (204, [:]) }
        let (event, clock) = (try await event(), TestClock())
        clock.advance(by: 1000.7)
        try await sender(receiver, clock).receive(event)
        let request = try #require(receiver.requests.withLock { $0.first })
        #expect(request.method == .post && request.url == "https://app.example/hooks?a=b")
        #expect(request.headers[.contentType] == "application/json")
        // Shorter than the time limit of one event, which is shorter than the minute that a sender has.
        #expect(request.timeout == .seconds(20))
        let (id, time) = (try header("id", of: request), try header("timestamp", of: request))
        #expect(id == event.id && !id.contains(".") && time == "1790001000")
        guard case .bytes(let body) = request.body else { throw ConformanceFailure("no body") }
        let expected = Self.secrets.compactMap { secret in
            WebhookSecret("whsec_\(secret)")?.signature(of: id, 1_790_001_000, Data(body.readableBytesView))
        }
        #expect(expected.count == 2)
        #expect(try header("signature", of: request) == expected.joined(separator: " "))
    }

    private func header(_ name: String, of request: TransportRequest) throws -> String {
        let name = try #require(HTTPField.Name("webhook-\(name)"))
        return try #require(request.headers[name])
    }

    @Test("the body has type, time and ids but neither address nor subject")
    func body() async throws {
        let receiver = Receiver { () throws(TransportError) in (200, [:]) }
        let event = try await event()
        try await sender(receiver).receive(event)
        guard case .bytes(let body)? = receiver.requests.withLock({ $0.first })?.body else {
            throw ConformanceFailure("no body")
        }
        let (link, device) = (try #require(event.link), try #require(event.device))
        #expect(
            String(buffer: body) == """
                {"data":{"actor":"user","deviceID":"\(device)","linkID":"\(link)","provider":"apple",\
                "sequence":1,"serviceUserID":"\(event.user)"},"timestamp":"2026-09-21T14:13:20Z",\
                "type":"account.created"}
                """)
    }

    @Test("the body of a requested unlinking has the time at which it takes effect")
    func effectiveAt() async throws {
        let recorder = RecordingEventReceiver()
        var options = TestService.Options()
        options.eventReceiver = recorder
        options.unlinkDelay = 86_400
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.link(.google, "bob", in: bob.session)
        try await service.unlink(.apple, in: bob.session)
        service.clock.advance(by: 61)
        try await service.services.eventDelivery.deliverEvents()
        let receiver = Receiver { () throws(TransportError) in (200, [:]) }
        try await sender(receiver).receive(try #require(recorder.events.last))
        guard case .bytes(let body)? = receiver.requests.withLock({ $0.first })?.body else {
            throw ConformanceFailure("no body")
        }
        let text = String(buffer: body)
        #expect(text.contains(#""effectiveAt":"2026-09-22T14:13:20Z""#), "\(text)")
        #expect(text.contains(#""type":"provider.unlink_requested""#), "\(text)")
    }

    @Test("a 2xx response means that the event was accepted", arguments: [200, 202, 204, 299])
    func taken(status: Int) async throws {
        #expect(try await refusal { () throws(TransportError) in (status, [:]) } == nil)
    }

    @Test("any other response, even a redirect, is a refusal", arguments: [100, 301, 308, 400, 404, 429, 500, 503])
    func refused(status: Int) async throws {
        let refusal = try await refusal { () throws(TransportError) in (status, [.location: "https://app.example/"]) }
        #expect(refusal == EventRejection("status \(status)"))
    }

    @Test("a 410 response means that the receiver is gone")
    func gone() async throws {
        let refusal = try await refusal { () throws(TransportError) in (410, [:]) }
        #expect(refusal?.isGone == true)
    }

    @Test(
        "Retry-After is read as seconds or as a date",
        arguments: [
            ("120", 120.0), ("Mon, 21 Sep 2026 14:53:20 GMT", 2400), ("Mon, 21 Sep 2026 13:13:20 GMT", 0),
            ("soon", nil), ("-5", nil), ("", nil),
        ] as [(String, Double?)])
    func retryAfter(text: String, seconds: Double?) async throws {
        let clock = TestClock()
        let refusal = try await refusal(clock) { () throws(TransportError) in (503, [.retryAfter: text]) }
        #expect(refusal?.retryAfter == seconds)
    }

    @Test("a connection error means that the event was refused")
    func unreachable() async throws {
        let refusal = try await refusal { () throws(TransportError) in throw .connectionLost("timeout") }
        #expect(refusal == EventRejection("connection lost: timeout"))
    }
}
