import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import SMTP
import Testing
import UseCases

@testable import SecurityMail

/// What happens with e-mails that a server does not accept.
@Suite struct SecurityMailRefusalTests {
    private static let subject = "New sign-in to Photos"

    /// Returns a service in which a device was added to an account with two addresses.
    private func fixture() async throws -> MailFixture {
        let fixture = try await MailFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        _ = try await fixture.service.link(.google, "bob", in: bob.session, email: "bob@gmail.com")
        #expect(try await fixture.send().count == 2)
        _ = try await fixture.service.signIn(.apple, "bob", device: 2)
        return fixture
    }

    @Test func `an e-mail waits until the server is back, and is sent once`() async throws {
        let fixture = try await fixture()
        fixture.server.setRefusal { _ in .notConnected("refused") }
        for _ in 0..<3 { #expect(try await fixture.send(after: 600).count == 2) }
        fixture.server.setRefusal(nil)
        #expect(try await fixture.send(after: 3 * 3600).count == 4)
        #expect(try await fixture.send(after: 86_400).count == 4)
    }

    @Test func `an address that does not exist does not keep the e-mail from the other`() async throws {
        let fixture = try await fixture()
        fixture.server.setRefusal { message in
            message.to.description == "bob@icloud.com" ? .refused(command: "RCPT", code: 550, status: "5.1.1") : nil
        }
        #expect(try await fixture.send().dropFirst(2) == ["bob@gmail.com: \(Self.subject)"])
        fixture.server.setRefusal(nil)
        #expect(try await fixture.send(after: 86_400).count == 3)
    }

    @Test func `a refusal of all addresses for one reason is not about them`() async throws {
        let fixture = try await fixture()
        fixture.server.setRefusal { _ in .refused(command: "RCPT", code: 550, status: nil) }
        #expect(try await fixture.send().count == 2)
        fixture.server.setRefusal(nil)
        #expect(try await fixture.send(after: 86_400).count == 4)
    }

    @Test func `an address that is refused for now gets all e-mails later, and delays none to the others`() async throws
    {
        let fixture = try await fixture()
        fixture.server.setRefusal { message in
            message.to.description == "bob@gmail.com" ? .refused(command: "RCPT", code: 450, status: "4.1.2") : nil
        }
        #expect(try await fixture.send().dropFirst(2) == ["bob@icloud.com: \(Self.subject)"])
        _ = try await fixture.service.signIn(.apple, "bob", device: 3)
        for _ in 0..<3 { #expect(try await fixture.send(after: 5 * 3600).count == 4) }
        fixture.server.setRefusal(nil)
        let late = try await fixture.send(after: 20 * 3600).dropFirst(4)
        #expect(late == ["bob@gmail.com: \(Self.subject)", "bob@gmail.com: \(Self.subject)"])
        #expect(Set(fixture.server.accepted.map(\.id)).count == 3)
        #expect(try await fixture.send(after: 86_400).count == 6)
    }

    @Test func `an e-mail that could not be sent for three days is dropped`() async throws {
        let fixture = try await fixture()
        fixture.server.setRefusal { _ in .timedOut }
        for _ in 0..<16 { _ = try await fixture.send(after: 5 * 3600) }
        fixture.server.setRefusal(nil)
        #expect(try await fixture.send(after: 86_400).count == 2)
        _ = try await fixture.service.signIn(.apple, "bob", device: 3)
        #expect(try await fixture.send().count == 4)
    }

    @Test func `an unreachable mail server delays no webhook, and the other way round`() async throws {
        let receiver = RecordingEventReceiver()
        let fixture = try await MailFixture.make { $0.eventReceiver = receiver }
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        _ = try await fixture.service.signIn(.apple, "bob", device: 2)
        fixture.server.setRefusal { _ in .timedOut }
        _ = try await fixture.send()
        try await fixture.service.services.eventDelivery.deliverEvents()
        #expect(receiver.events.map(\.type) == [.accountCreated, .deviceAdded])
        receiver.setResponse { _ in EventRejection("refused") }
        fixture.server.setRefusal(nil)
        _ = try await fixture.service.signIn(.apple, "bob", device: 3)
        fixture.service.clock.advance(by: 61)
        try await fixture.service.services.eventDelivery.deliverEvents()
        #expect(try await fixture.send(after: 600).count == 2)
        receiver.setResponse(nil)
        fixture.service.clock.advance(by: 86_400)
        try await fixture.service.services.eventDelivery.deliverEvents()
        #expect(receiver.firstEvents(of: bob.user.serviceUserID).count == 3)
    }
}
