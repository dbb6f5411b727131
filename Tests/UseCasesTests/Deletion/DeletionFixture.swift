import Accounts
import Crypto
import DevelopmentIdentityProvider
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Sharing
import StorageAccess
import Subscriptions
import Testing
import UseCases

/// A person with every kind of personal data, in a store that the test can search.
struct DeletionFixture: Sendable {
    let memory: MemoryObjectStore
    let clock: TestClock
    let appStore: TestAppStore
    let options: TestService.Options
    let service: TestService
    let receiver = RecordingEventReceiver()
    let bob: SignedIn
    let secrets: [String]

    var user: UserID { bob.user.serviceUserID }
    var accounts: AccountDirectory { service.components.accounts }
    var services: ServiceGraph { service.services }

    static let subject = "canary-subject"
    static let email = "canary@gmail.com"

    init(_ change: (inout TestService.Options) -> Void = { _ in }) async throws {
        let clock = TestClock()
        appStore = try TestAppStore(clock: clock)
        memory = MemoryObjectStore { clock.now }
        self.clock = clock
        var options = try appStore.options()
        options.trial = TrialOffer(tier: .basic, days: 30)
        options.eventReceiver = receiver
        options.mailer = SilentMailer()
        change(&options)
        self.options = options
        service = try await TestService.make(options, store: memory, clock: clock)
        let device = TestService.device(1)
        let proof = try service.apple.issueToken(
            DevelopmentTokenRequest(subject: Self.subject, email: Self.email))
        bob = try await service.services.signUp.signUp(
            SignUpRequest(
                provider: .apple, idToken: proof.idToken, authorizationCode: proof.authorizationCode,
                fullName: "Canary Name", device: device))
        service.clock.advance(by: 61)
        try await service.services.providerCalls.makeProviderCalls()
        _ = try await service.link(.google, "canary-google", in: bob.session, email: Self.email)
        _ = try await service.signIn(.google, "canary-google", device: 2)
        let user = bob.user.serviceUserID
        let caller = try await service.caller(bob.session)
        _ = try await service.services.account.replaceProfile(
            user, with: Profile(displayName: "canary-profile"), if: .any, caller: caller)
        let purchase = TestPurchase(TestAppStore.premium, id: "1000", at: clock.now, for: user)
        _ = try await service.services.subscriptions.bindPurchase(
            AppStorePurchase(signedTransaction: try appStore.transaction(purchase)), caller: caller)
        for key in [
            StorageLayout.photo(user, md5: String(repeating: "a", count: 32)),
            StorageLayout.photo(user, md5: String(repeating: "b", count: 32)),
            StorageLayout.thumbnail(user, md5: String(repeating: "a", count: 32)),
            StorageLayout.catalogPointer(user), "\(StorageLayout.uploads(user))1/upload.json",
            "\(StorageLayout.legacyMoves(user))x.json", StorageLayout.reservations(user),
            StorageLayout.picture(user),
            StorageLayout.identityMove(user, UUID()),
            StorageLayout.exportHead(user, ExportID(uuid: UUID())), "\(StorageLayout.account(user))unknown.json",
        ] {
            _ = try await memory.put(ObjectKey(known: key), ByteBuffer(string: "canary-content"), if: .always)
        }
        let links = SharedLinks(
            store: memory, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in await Task.yield() }),
            randomness: .seeded(4)
        ) { clock.now }
        _ = try await links.create(
            user, .album("canary-album"),
            SharedLinkOptions(
                title: "canary-title", expiresAt: nil, password: nil, allowsDownloads: true, includesLocation: true))
        try await service.services.usageCount.countUsage()
        let account = try #require(try await service.components.accounts.account(user)).value
        secrets =
            [user.description, Self.subject, "canary", "Canary"]
            + account.links.map(\.id.description)
            + [TestService.device(1), TestService.device(2)].map(\.id.description)
    }

    /// Schedules the deletion of the person's account.
    @discardableResult
    func schedule() async throws -> DeletionOverview {
        let session = try await service.reauthenticate(.apple, Self.subject, in: bob.session)
        return try await services.deletion.schedule(
            .init(confirmation: DeletionRequest.confirmationText), caller: try await service.caller(session))
    }

    /// Runs the job once an hour until the account is gone.
    func eraseCompletely(hours: Int = 24 * 40) async throws {
        for _ in 0..<hours {
            clock.advance(by: 3600)
            try await services.eventDelivery.deliverEvents()
            try await services.accountErasure.eraseDueAccounts()
            if try await accounts.account(user) == nil, try await accounts.deletions.record(user) == nil { return }
        }
        Issue.record("not erased: \(try await accounts.deletions.record(user)?.value.reason ?? "")")
    }

    /// Returns the keys of objects that mention the person, in the key or in the content.
    func traces(in store: MemoryObjectStore? = nil) async throws -> [String] {
        let memory = store ?? memory
        var found: [String] = []
        var after: String?
        repeat {
            let page = try await memory.list(prefix: "", after: after, limit: 1000)
            for object in page.objects {
                let content = String(buffer: try await memory.get(object.key, limit: 1 << 20)?.bytes ?? ByteBuffer())
                let text = "\(object.key)\n\(content)"
                if secrets.contains(where: { text.localizedCaseInsensitiveContains($0) }) {
                    found.append(object.key.description)
                }
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        return found
    }

    /// Returns the payload of the stored receipt, after verifying it.
    func receipt(_ directory: AccountDirectory? = nil) async throws -> [String: Any] {
        let accounts = directory ?? accounts
        let entry = try #require(try await accounts.erasures.entry(of: user)).value
        let receipt = try await accounts.erasures.receipt(in: entry, of: user)
        return try await verified(try #require(receipt), by: try await accounts.erasureKey.jsonWebKeySet())
    }

    /// Verifies a receipt with the published keys, as any JWS library does, and returns its payload.
    func verified(_ receipt: String, by keySet: String) async throws -> [String: Any] {
        struct KeySet: Decodable {
            struct Key: Decodable {
                let kid: String
                let x: String
                let y: String
            }
            let keys: [Key]
        }
        let keys = try JSONDecoder().decode(KeySet.self, from: Data(keySet.utf8))
        let parts = receipt.split(separator: ".")
        let json = try parts.prefix(2).map {
            try JSONSerialization.jsonObject(with: try #require(Base64URL.decode($0)))
        }
        let header = try #require(json[0] as? [String: String])
        let key = try #require(keys.keys.first { $0.kid == header["kid"] })
        #expect(header["typ"] == ErasureKey.receiptType && header["alg"] == "ES256")
        let (x, y) = (try #require(Base64URL.decode(key.x)), try #require(Base64URL.decode(key.y)))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Base64URL.decode(parts[2])))
        #expect(
            try P256.Signing.PublicKey(rawRepresentation: x + y).isValidSignature(
                signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
        return try #require(json[1] as? [String: Any])
    }
}
