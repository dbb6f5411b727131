import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Maps provider identities to accounts: finds, creates, links and unlinks by the protocol of
/// `docs/account-protocol.md`.
///
/// The account document is written before the identity binding, so a binding never refers to a missing account. Every
/// operation may be interrupted at any point; the next reader completes it.
///
/// A class, because dozens of services hold it: a copy would be 900 bytes.
package final class AccountDirectory: Sendable {
    package let documents: Documents<AccountDocument>
    package let bindings: IdentityBindings
    package let audit: AuditTrail
    package let emailHints: EmailHints
    package let manifestCache: ManifestCache
    package let keyRing: KeyRing
    package let retry: RetryPolicy
    package let now: @Sendable () -> Date
    package let randomness: Randomness
    /// How old an unfinished account must be before repair treats it as abandoned, in seconds.
    package let repairGracePeriod: TimeInterval
    /// How long an unlink that could lock the owner out is delayed, in seconds; 0 for no delay.
    let unlinkDelay: TimeInterval
    /// How long a scheduled deletion can be cancelled, in seconds.
    package let deletionUndoPeriod: TimeInterval
    /// The records of scheduled deletions.
    package let deletions: DeletionRecords
    /// The deleted accounts.
    package let erasures: ErasureLedger
    /// The deleted accounts in memory.
    package let erased: ErasedAccountIndex
    package let erasureKey: ErasureKey
    /// The outbox for events to the operator's event receiver; `nil` if there is no receiver.
    package let outbox: EventOutbox?
    /// The outbox for security e-mails; `nil` if none are sent.
    package let mailOutbox: EventOutbox?

    package init(
        store: any ObjectStore, naming: ManifestCache, keyRing: KeyRing, retry: RetryPolicy,
        now: @escaping @Sendable () -> Date, randomness: Randomness, repairGrace: TimeInterval = 3600,
        unlinkDelay: TimeInterval = 86_400, deletionUndoPeriod: TimeInterval = 14 * 86_400, outbox: EventOutbox? = nil,
        mailOutbox: EventOutbox? = nil
    ) {
        documents = Documents(store: store, retry: retry)
        bindings = IdentityBindings(writes: documents.writes)
        audit = AuditTrail(writes: documents.writes, sealing: AuditSealer(keyRing: keyRing))
        emailHints = EmailHints(bindings: bindings, keyRing: keyRing)
        self.manifestCache = naming
        self.keyRing = keyRing
        self.retry = retry
        self.now = now
        self.randomness = randomness
        self.repairGracePeriod = repairGrace
        self.unlinkDelay = unlinkDelay
        self.deletionUndoPeriod = deletionUndoPeriod
        deletions = DeletionRecords(store: store, retry: retry)
        erasureKey = ErasureKey(store: store, retry: retry, keyRing: keyRing, now: now, randomness: randomness)
        erasures = ErasureLedger(store: store, retry: retry, key: erasureKey)
        erased = ErasedAccountIndex(erasures)
        self.outbox = outbox
        self.mailOutbox = mailOutbox
    }

    /// The outboxes of the channels that are in use.
    package var outboxes: [EventOutbox] { [outbox, mailOutbox].compactMap(\.self) }

    /// Reads the account document; `nil` if there is none. One read.
    package func account(_ user: UserID) async throws(AccountError) -> Stored<AccountDocument>? {
        try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in try await documents.load(Self.key(user))
        }
    }

    /// Returns the address that the provider gave when the link was made; only for the account's owner.
    package func email(of link: AccountLink, user: UserID) -> String? {
        link.sealedEmail.flatMap { open($0, for: .emailAddress, user) }
    }

    /// Returns the name that came with the sign-up; only for the account's owner.
    package func name(of account: AccountDocument) -> String? {
        account.sealedName.flatMap { open($0, for: .givenName, account.serviceUserID) }
    }

    /// Ends all sessions of the account: sessions of earlier epochs are invalid, and pending links are removed.
    package func raiseSessionEpoch(
        of account: Stored<AccountDocument>, by session: ActingSession
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await change(account, by: session) { (document) throws(AccountError) in
            // A later epoch has already ended all sessions that this call would end.
            guard document.sessionEpoch == session.epoch else { return }
            document.endAllSessions()
            try document.audit.append(.init(action: .signedOutEverywhere, device: session.device, at: now()))
        }
    }

    /// Creates a link for an identity; subject (if hashed) and address are sealed for the account.
    func makeLink(
        _ identity: VerifiedIdentity, _ names: BindingKeys, user: UserID, state: LinkState, method: LinkMethod
    ) throws(AccountError) -> AccountLink {
        var link = try makeLink(names, identity.subject, user: user, state: state, method: method, linkedAt: now())
        link.sealedEmail = try identity.email.map { (email) throws(AccountError) in
            try seal(email.address, for: .emailAddress, user)
        }
        link.isEmailVerified = identity.email.map(\.isVerified)
        link.emailHint = try identity.email.flatMap { (email) throws(AccountError) in try emailHints.hash(of: email) }
        return link
    }

    /// Creates a link without an address.
    package func makeLink(
        _ names: BindingKeys, _ subject: String, user: UserID, state: LinkState, method: LinkMethod, linkedAt: Date
    ) throws(AccountError) -> AccountLink {
        AccountLink(
            id: LinkID(uuid: randomness.uuid()), provider: names.provider, segment: names.segment,
            nextSegment: names.nextSegment,
            sealedSubject: names.areHashed ? try seal(subject, for: .providerSubject, user) : nil,
            state: state, linkedAt: linkedAt, method: method
        )
    }

    package static func key(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.accountDocument(user)) }

    /// Seals a text for an account, under the current key.
    package func seal(_ text: String, for purpose: SecretPurpose, _ user: UserID) throws(AccountError) -> String {
        do {
            return try keyRing.seal(Data(text.utf8), for: purpose, context: user.description, randomness: randomness)
        } catch {
            throw .secrets(error)
        }
    }

    /// Opens a text that was sealed for an account.
    package func open(_ sealed: String, for purpose: SecretPurpose, _ user: UserID) -> String? {
        guard let opened = try? keyRing.open(sealed, for: purpose, context: user.description) else { return nil }
        return String(data: opened, encoding: .utf8)
    }
}

extension AccountDirectory {
    /// Returns a page of an account's audit log, newest first. One read per entry, a few at a time; lost entries are
    /// omitted.
    /// - Parameter before: only entries with a smaller sequence; at least 1.
    package func history(
        of account: AccountDocument, before: Int?, limit: Int
    ) async throws(AccountError) -> [AuditEntry] {
        try await audit.entries(of: account, before: before, limit: limit)
    }

    /// Walks an audit log from its end to its beginning and verifies it. One read per entry.
    package func walkHistory(
        of account: AccountDocument, _ visit: (AuditChainPosition) async throws(AccountError) -> Void
    ) async throws(AccountError) {
        try await audit.walk(account, visit)
    }

    /// Returns whether the end of the audit log has a valid seal of this service, which covers every entry before it.
    package func hasAuthenticAuditHead(_ account: AccountDocument) -> Bool {
        audit.sealing.verify(account.audit, of: account.serviceUserID) == .authentic
    }
}
