import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@testable import SecurityMail

/// How an e-mail names the account, and what remains of unsent e-mails where none are sent any more.
@Suite struct MailAccountTests {
    @Test func `an e-mail names the account by its id and its methods with masked addresses`() async throws {
        let fixture = try await MailFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        _ = try await fixture.service.link(.google, "bob", in: bob.session, email: "b@gmail.com")
        _ = try await fixture.send()
        let message = try #require(fixture.server.accepted.first)
        let text = message.text.replacing("\u{2060}", with: "")
        #expect(text.contains("Account: Apple (b•••@icloud.com), Google (•••@gmail.com)\n"), "\(text)")
        #expect(text.contains("Account ID: \(bob.user.serviceUserID)\n"))
        #expect(!text.contains("bob@") && !message.html.contains("bob@"))
        #expect(message.html.contains("\(bob.user.serviceUserID)</td>") && message.html.contains("Google (•••"))
    }

    @Test func `without mail settings, unsent e-mails and kept addresses are forgotten after 4 days`() async throws {
        let fixture = try await MailFixture.make()
        fixture.server.setRefusal { _ in .timedOut }
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        _ = try await fixture.service.link(.google, "bob", in: bob.session, email: "bob@gmail.com")
        try await fixture.service.unlink(.google, in: bob.session)
        let user = bob.user.serviceUserID
        let silent = try await TestService.make(store: fixture.service.store, clock: fixture.service.clock)
        func state() async throws -> (marker: Int?, recipients: Int, deliveries: Int) {
            let account = try #require(try await silent.components.accounts.account(user)?.value)
            let prefix = EventChannel.mail.deliveries
            return (
                account.firstUnsent(.mail), silent.components.accounts.mailRecipients(of: account).count,
                try await silent.store.list(prefix: prefix, after: nil, limit: 10).objects.count
            )
        }
        silent.clock.advance(by: 4 * 86_400 - 60)
        _ = try await silent.services.usageCount.countUsage()
        var found = try await state()
        #expect(found.marker != nil && found.recipients == 2 && found.deliveries == 1)
        silent.clock.advance(by: 120)
        _ = try await silent.services.usageCount.countUsage()
        found = try await state()
        #expect(found.marker == nil && found.recipients == 1 && found.deliveries == 0)
    }
}
