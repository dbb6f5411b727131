import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import SMTP
import Testing
import UseCases

@testable import SecurityMail

/// Attempts of a thief to keep the e-mails about an account's takeover from its owner.
@Suite struct SilencedOwnerTests {
    private static let owner = "bob@icloud.com"

    /// Returns a service with the account of an owner whose session was stolen.
    private func makeFixture() async throws -> (MailFixture, Session) {
        let fixture = try await MailFixture.make()
        let session = try await fixture.service.signUp(.apple, "bob", email: Self.owner).session
        fixture.service.clock.advance(by: 60)
        return (fixture, session)
    }

    /// Links and unlinks identities of the thief.
    private func churn(_ rounds: Range<Int>, _ fixture: MailFixture, _ session: Session) async throws {
        for round in rounds {
            _ = try await fixture.service.link(
                .google, "thief-\(round)", in: session, email: "thief-\(round)@evil.example")
            try await fixture.service.unlink(.google, in: session)
        }
    }

    private func subjects(_ sent: [String], of address: String = owner) -> [String] {
        sent.filter { $0.hasPrefix("\(address): ") }.map { String($0.dropFirst(address.count + 2)) }
    }

    @Test func `sign-ins in a loop fill no mailbox, and hide no change of the account`() async throws {
        let (fixture, session) = try await makeFixture()
        for device in 2..<20 { _ = try await fixture.service.signIn(.apple, "bob", device: device) }
        let count = try await fixture.send().count
        #expect(count == SecurityMailLimits.frequent)
        let texts = fixture.server.accepted.map { $0.text.contains("No more messages of this kind are sent today") }
        #expect(texts.last == true && !texts.dropLast().contains(true))
        _ = try await fixture.service.link(.google, "thief", in: session, email: "thief@evil.example")
        #expect(try await subjects(fixture.send()).last == "Sign-in method added: Google")
        _ = try await fixture.service.signIn(.apple, "bob", device: 22)
        #expect(try await fixture.send(after: 86_400).count > count + 2)
    }

    @Test func `linking in a loop does not use up the e-mail about the owner's identity`() async throws {
        let (fixture, session) = try await makeFixture()
        try await churn(0..<30, fixture, session)
        #expect(try await subjects(fixture.send()).count == SecurityMailLimits.frequent)
        _ = try await fixture.service.link(.google, "thief", in: session, email: "thief@evil.example")
        try await fixture.service.unlink(.apple, in: session)
        #expect(try await subjects(fixture.send()).last == "Sign-in method removed: Apple")
    }

    @Test func `the owner's address is kept, however many identities leave the account`() async throws {
        let (fixture, session) = try await makeFixture()
        fixture.server.setRefusal { _ in .timedOut }
        try await churn(0..<12, fixture, session)
        _ = try await fixture.service.link(.google, "thief", in: session, email: "thief@evil.example")
        try await fixture.service.unlink(.apple, in: session)
        _ = try await fixture.send()
        fixture.server.setRefusal(nil)
        let sent = try await fixture.send(after: 600)
        #expect(subjects(sent).contains("Sign-in method removed: Apple"), "\(sent)")
        #expect(Set(sent.map { $0.split(separator: ":")[0] }).count <= 9)
    }

    @Test func `a removed address gets nothing about later acts, a new one nothing about earlier ones`() async throws {
        let (fixture, session) = try await makeFixture()
        fixture.server.setRefusal { _ in .timedOut }
        _ = try await fixture.service.signIn(.apple, "bob", device: 2)
        fixture.service.clock.advance(by: 60)
        try await churn(0..<1, fixture, session)
        fixture.service.clock.advance(by: 60)
        _ = try await fixture.service.signIn(.apple, "bob", device: 3)
        _ = try await fixture.send()
        fixture.server.setRefusal(nil)
        let sent = try await fixture.send(after: 600)
        #expect(
            subjects(sent, of: "thief-0@evil.example") == [
                "Sign-in method added: Google", "Sign-in method removed: Google",
            ])
        #expect(subjects(sent).count == 4)
    }

    @Test func `an instance that sends no e-mail keeps the addresses for those that do`() async throws {
        let (fixture, session) = try await makeFixture()
        _ = try await fixture.service.link(.google, "thief", in: session, email: "thief@evil.example")
        try await fixture.service.unlink(.apple, in: session)
        var options = TestService.Options()
        options.hasPlainTokens = true
        options.seed = 2
        let other = try await TestService.make(options, store: fixture.service.store, clock: fixture.service.clock)
        _ = try await other.link(.facebook, "thief", in: session)
        try await other.unlink(.facebook, in: session)
        #expect(try await subjects(fixture.send()).contains("Sign-in method removed: Apple"))
    }

    @Test func `a removal that is stopped is reported`() async throws {
        let fixture = try await MailFixture.make { $0.unlinkDelay = 86_400 }
        let session = try await fixture.service.signUp(.apple, "bob", email: Self.owner).session
        _ = try await fixture.service.link(.google, "bob", in: session, email: "bob@gmail.com")
        try await fixture.service.unlink(.apple, in: session)
        _ = try await fixture.service.signIn(.apple, "bob")
        #expect(
            try await subjects(fixture.send(), of: "bob@gmail.com").suffix(2) == [
                "Sign-in method will be removed: Apple", "Sign-in method will be kept: Apple",
            ])
    }
}
