import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Provider identity → account: finds, creates, links and unlinks by the protocol of `docs/account-protocol.md`.
///
/// The account document is written first, then the claim, so a claim never points at nothing. Every act can stop
/// anywhere; whoever meets the rest carries it on.
package struct AccountDirectory: Sendable {
    let documents: Documents<AccountDocument>
    let claims: Claims
    let audit: AuditTrail
    let emailHints: EmailHints
    let naming: NamingWatch
    let keyRing: KeyRing
    let retry: RetryPolicy
    let now: @Sendable () -> Date
    let randomness: Randomness
    /// How old an unfinished account is before repair may take it for abandoned.
    let repairGrace: TimeInterval
    /// How long an unlinking that could lock the owner out waits, in seconds; 0 for not at all.
    let unlinkDelay: TimeInterval
    /// Where acts that the operator's own service is told of are kept to be sent; `nil` where there is no such service.
    package let outbox: EventOutbox?

    package init(
        store: any ObjectStore, naming: NamingWatch, keyRing: KeyRing, retry: RetryPolicy,
        now: @escaping @Sendable () -> Date, randomness: Randomness, repairGrace: TimeInterval = 3600,
        unlinkDelay: TimeInterval = 86_400, outbox: EventOutbox? = nil
    ) {
        documents = Documents(store: store, retry: retry)
        claims = Claims(writes: documents.writes)
        audit = AuditTrail(writes: documents.writes, sealing: AuditSealing(keyRing: keyRing))
        emailHints = EmailHints(claims: claims, keyRing: keyRing)
        self.naming = naming
        self.keyRing = keyRing
        self.retry = retry
        self.now = now
        self.randomness = randomness
        self.repairGrace = repairGrace
        self.unlinkDelay = unlinkDelay
        self.outbox = outbox
    }

    /// The account document, or `nil` when there is none. One read.
    package func account(_ user: UserID) async throws(AccountError) -> Stored<AccountDocument>? {
        try await AccountError.storing { () throws(ObjectStoreError) in try await documents.load(Self.key(user)) }
    }

    /// The address that the provider gave when a link was made; only for the account's owner.
    package func email(of link: AccountLink, user: UserID) -> String? {
        link.sealedEmail.flatMap { open($0, for: .emailAddress, user) }
    }

    /// The name that came with the sign-up; only for the account's owner.
    package func name(of account: AccountDocument) -> String? {
        account.sealedName.flatMap { open($0, for: .givenName, account.serviceUserID) }
    }

    /// Ends all sessions of the account: those of the epochs before are over, and so is what they were linking.
    package func raiseSessionEpoch(
        of account: Stored<AccountDocument>, by session: ActingSession
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account, by: session) { (document) throws(AccountError) in
            // A later epoch has ended all that this one is to end.
            guard document.sessionEpoch == session.epoch else { return }
            document.sessionEpoch += 1
            document.keptSessions = []
            for link in document.links where link.state == .pending { document.setState(.removing, ofLink: link.id) }
            try document.audit.append(.init(act: .signedOutEverywhere, device: session.device, at: now()))
        }
    }

    /// A new link for an identity; what must not be read by everyone is sealed for the account.
    func makeLink(
        _ identity: VerifiedIdentity, _ names: IdentityNames, user: UserID, state: LinkState, method: LinkMethod
    ) throws(AccountError) -> AccountLink {
        var link = try makeLink(names, identity.subject, user: user, state: state, method: method, linkedAt: now())
        link.sealedEmail = try identity.email.map { (email) throws(AccountError) in
            try seal(email.address, for: .emailAddress, user)
        }
        link.emailHint = try identity.email.flatMap { (email) throws(AccountError) in try emailHints.hash(of: email) }
        return link
    }

    /// A new link without an address.
    func makeLink(
        _ names: IdentityNames, _ subject: String, user: UserID, state: LinkState, method: LinkMethod, linkedAt: Date
    ) throws(AccountError) -> AccountLink {
        AccountLink(
            id: LinkID(uuid: randomness.uuid()), provider: names.provider, segment: names.segment,
            nextSegment: names.nextSegment,
            sealedSubject: names.areHashed ? try seal(subject, for: .providerSubject, user) : nil,
            state: state, linkedAt: linkedAt, method: method
        )
    }

    static func key(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.accountDocument(user)) }

    /// Seals a text for an account, under the current key.
    func seal(_ text: String, for purpose: SecretPurpose, _ user: UserID) throws(AccountError) -> String {
        do {
            return try keyRing.seal(Data(text.utf8), for: purpose, context: user.description, randomness: randomness)
        } catch {
            throw .secrets(error)
        }
    }

    /// Opens what was sealed for an account.
    func open(_ sealed: String, for purpose: SecretPurpose, _ user: UserID) -> String? {
        guard let opened = try? keyRing.open(sealed, for: purpose, context: user.description) else { return nil }
        return String(data: opened, encoding: .utf8)
    }
}
