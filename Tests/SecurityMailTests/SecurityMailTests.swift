import AccountMaintenance
import Accounts
import DevelopmentIdentityProvider
import Foundation
import IdentityProviders
import Localization
import PhotolalaAPI
import PhotolalaTesting
import SMTP
import Sessions
import Testing
import UseCases

@testable import SecurityMail

/// Which e-mails are sent about an account, to which addresses, and what they say.
@Suite struct SecurityMailTests {
    @Test func `a sign-up sends nothing, a sign-in on another device does`() async throws {
        let fixture = try await MailFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        #expect(try await fixture.send().isEmpty)
        for _ in 0..<2 { _ = try await fixture.service.signIn(.apple, "bob", email: "bob@icloud.com", device: 2) }
        #expect(try await fixture.send() == ["bob@icloud.com: New sign-in to Photos"])
        let message = try #require(fixture.server.accepted.first)
        let name = TestService.device(2).name
        #expect(message.text.contains("Device: “\(name)”\n") && message.text.contains("Sign-in method: Apple\n"))
        #expect(message.text.contains("Time: September 21, 2026 at 2:14") && message.text.contains(" UTC\n"))
        #expect(message.text.contains("https://photos.example/account/devices\n"))
        #expect(message.html.contains("<h1") && message.html.contains(name) && message.id.hasPrefix("evt_"))
        #expect(try await fixture.send(after: 86_400).count == 1)
    }

    @Test func `an e-mail about a new device names the country of the sign-in, if it is known`() async throws {
        let fixture = try await MailFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        _ = try await RequestOrigin.$country.withValue(CountryCode("DE")) {
            try await fixture.service.signIn(.apple, "bob", email: "bob@icloud.com", device: 2)
        }
        _ = try await fixture.service.signIn(.apple, "bob", email: "bob@icloud.com", device: 3)
        _ = try await fixture.send()
        let texts = fixture.server.accepted.map(\.text)
        #expect(texts.count == 2 && texts.count { $0.contains("Country: Germany\n") } == 1)
        #expect(texts.count { $0.contains("Country:") } == 1)
    }

    @Test func `a new sign-in method is reported to the old address and to its own`() async throws {
        let fixture = try await MailFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        _ = try await fixture.service.link(.google, "bob", in: bob.session, email: "bob@gmail.com")
        let subject = "Sign-in method added: Google"
        #expect(try await fixture.send() == ["bob@icloud.com: \(subject)", "bob@gmail.com: \(subject)"])
    }

    @Test func `two methods with one address get one e-mail`() async throws {
        let fixture = try await MailFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@gmail.com")
        _ = try await fixture.service.link(.google, "bob", in: bob.session, email: "Bob@gmail.com")
        #expect(try await fixture.send().count == 1)
    }

    @Test func `an address that is not verified gets none`() async throws {
        let fixture = try await MailFixture.make { $0.hasPlainTokens = false }
        let service = fixture.service
        let proof = try service.idTokenRequest(.google, "eve", .signup, device: TestService.device(1).id)
        let token = try service.google.issueToken(
            DevelopmentTokenRequest(
                subject: "eve", email: "bob@example.org", emailVerified: false, nonce: proof.challenge))
        let eve = try await service.services.signUp.signUp(
            SignUpRequest(
                provider: .google, idToken: token.idToken, challenge: proof.challenge, device: TestService.device(1)))
        _ = try await service.signIn(.google, "eve", email: "eve@gmail.com", device: 2)
        #expect(try await fixture.send().isEmpty)
        _ = try await service.link(.apple, "eve", in: eve.session, email: "eve@icloud.com")
        #expect(try await fixture.send() == ["eve@icloud.com: Sign-in method added: Apple"])
    }

    @Test func `the address of a removed method hears of its removal, and of nothing after it`() async throws {
        let fixture = try await MailFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        _ = try await fixture.service.link(.google, "bob", in: bob.session, email: "bob@gmail.com")
        let linked = try await fixture.send().count
        try await fixture.service.unlink(.google, in: bob.session)
        let account = try await fixture.service.components.accounts.account(bob.user.serviceUserID)
        #expect(account?.value.links.count == 1)
        let subject = "Sign-in method removed: Google"
        #expect(
            try await fixture.send().dropFirst(linked) == ["bob@gmail.com: \(subject)", "bob@icloud.com: \(subject)"])
        _ = try await fixture.service.signIn(.apple, "bob", email: "bob@icloud.com", device: 2)
        #expect(try await fixture.send().dropFirst(linked + 2) == ["bob@icloud.com: New sign-in to Photos"])
    }

    @Test func `a delayed removal is announced with its time`() async throws {
        let fixture = try await MailFixture.make { $0.unlinkDelay = 86_400 }
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        _ = try await fixture.service.link(.google, "bob", in: bob.session, email: "bob@gmail.com")
        let linked = try await fixture.send().count
        try await fixture.service.unlink(.apple, in: bob.session)
        let sent = try await fixture.send().dropFirst(linked)
        #expect(Set(sent) == ["bob@icloud.com: \(Self.removing)", "bob@gmail.com: \(Self.removing)"])
        let text = try #require(fixture.server.accepted.last?.text)
        #expect(text.contains("Apple will be removed from your account on September 22, 2026 at 2:14"), "\(text)")
    }

    private static let removing = "Sign-in method will be removed: Apple"

    @Test func `the deletion of the account is announced with its time, and its end`() async throws {
        let fixture = try await MailFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        let session = try await fixture.service.reauthenticate(.apple, "bob", in: bob.session)
        let deletion = fixture.service.services.deletion
        _ = try await deletion.schedule(
            DeletionRequest(confirmation: DeletionRequest.confirmationText),
            caller: try await fixture.service.caller(session))
        #expect(try await fixture.send() == ["bob@icloud.com: Your account will be deleted"])
        #expect(fixture.server.accepted.last?.text.contains("on October 5, 2026 at 2:13") == true)
        let again = try await fixture.service.signIn(.apple, "bob").session
        _ = try await deletion.cancel(try await fixture.service.caller(again))
        #expect(try await fixture.send().last == "bob@icloud.com: Your account will be kept")
    }

    @Test func `a copied sign-in is reported`() async throws {
        let fixture = try await MailFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        let first = RefreshRequest(refreshToken: bob.session.refreshToken)
        let next = try await fixture.service.services.sessions.refresh(first).session
        _ = try await fixture.service.services.sessions.refresh(RefreshRequest(refreshToken: next.refreshToken))
        _ = try? await fixture.service.services.sessions.refresh(first)
        #expect(try await fixture.send() == ["bob@icloud.com: A device was signed out"])
    }

    @Test(arguments: TextCatalog.languages)
    func `e-mails are in the account's language`(language: String) async throws {
        let fixture = try await MailFixture.make()
        let bob = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        let caller = try await fixture.service.caller(bob.session)
        try await fixture.service.services.account.setMailLanguage(language, caller)
        _ = try await fixture.service.signIn(.apple, "bob", device: 2)
        _ = try await fixture.send()
        let message = try #require(fixture.server.accepted.first)
        let texts = try TextCatalog(service: "Photos").strings(for: nil, chosen: language)
        #expect(message.language == language && message.subject == texts.member("device_added_subject", of: .mail))
        #expect(message.html.contains("<html lang=\"\(language)\">"))
        #expect(!message.text.contains("{") && !message.html.contains("{"))
    }

    @Test func `every kind of e-mail has its texts in every language`() throws {
        let catalog = try TextCatalog(service: "Photos")
        for language in TextCatalog.languages {
            let texts = catalog.strings(for: nil, chosen: language)
            for type in EventType.allCases {
                let hasTexts = ["subject", "text"].allSatisfy {
                    texts.member("\(type.rawValue)_\($0)", of: .mail) != nil
                }
                #expect(hasTexts == EventChannel.mail.includes(type), "\(type) in \(language)")
            }
        }
    }

    @Test func `a move of the app to another Apple team is no news`() async throws {
        let fixture = try await MailFixture.make()
        let service = fixture.service
        let bob = try await service.signUp(.apple, "bob", email: "bob@icloud.com")
        _ = try await service.link(.google, "bob", in: bob.session, email: "bob@gmail.com")
        #expect(try await fixture.send().count == 2)
        let settings = service.apple.settings
        let now: @Sendable () -> Date = { [clock = service.clock] in clock.now }
        let tokens = try #require(OAuthTokenService(settings: settings, transport: service.network, now: now))
        let apple = AppleTeamTransfer(
            service: tokens, url: try #require(settings.userMigrationURL), clientID: "photolala-dev", now: now)
        for step in [TeamTransfer.Step.prepare(team: "NEWTEAM123"), .complete, .confirm] {
            let transfer = TeamTransfer(
                service.components.accounts, provider: .apple, service: apple, report: { _ in })
            _ = try await transfer.run(step)
        }
        #expect(try await service.owner(.apple, "moved-bob", device: 1) == bob.user.serviceUserID)
        #expect(try await fixture.send().count == 2)
    }

    @Test func `names are text, not markup`() async throws {
        let fixture = try await MailFixture.make()
        _ = try await fixture.service.signUp(.apple, "bob", email: "bob@icloud.com")
        let name = "<a href=\"https://evil.example\">\(String(repeating: "x", count: 60))"
        let device = DeviceDescription(id: TestService.device(2).id, name: name, platform: "ios")
        let proof = try fixture.service.idTokenRequest(.apple, "bob", .signin, device: device.id)
        _ = try await fixture.service.services.signIn.signIn(
            SignInRequest(provider: .apple, idToken: proof.idToken, challenge: proof.challenge, device: device))
        _ = try await fixture.send()
        let message = try #require(fixture.server.accepted.first)
        #expect(!message.html.contains("<a href=\"https://evil") && message.html.contains("&lt;a href="))
        // A word joiner follows what would make a link.
        let shown = message.text.replacing("\u{2060}", with: "")
        #expect(shown.contains("“\(name.prefix(60))”") && !message.text.contains("https://evil.example"))
    }
}
