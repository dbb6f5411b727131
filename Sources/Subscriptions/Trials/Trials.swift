import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The free trial for new accounts.
package struct TrialOffer: Sendable, Equatable {
    package let tier: Tier
    package let days: Int

    package init(tier: Tier, days: Int) {
        self.tier = tier
        self.days = days
    }
}

/// `service/trials/{hash}`: the trial of an identity.
package struct TrialDocument: VersionedDocument {
    package var version: Int
    package let tier: Tier
    package let endsAt: Date
}

/// One free trial for each identity, regardless of its account: a later sign-up continues the same trial. A trial is
/// forgotten two years after its end.
package struct Trials: Sendable {
    /// How long the record of a trial is kept after its end, in seconds.
    package static let retention: TimeInterval = 730 * 86_400

    private let documents: Documents<TrialDocument>
    private let keyRing: KeyRing
    private let now: @Sendable () -> Date

    package init(store: any ObjectStore, retry: RetryPolicy, keyRing: KeyRing, now: @escaping @Sendable () -> Date) {
        documents = Documents(store: store, retry: retry)
        self.keyRing = keyRing
        self.now = now
    }

    /// Returns the trial of an identity, which starts now unless the identity had one. One write, and a read for each
    /// earlier master key; one more read for an identity that had a trial.
    package func begin(
        _ offer: TrialOffer, for provider: ProviderName, _ subject: String
    ) async throws(SubscriptionError) -> TrialDocument {
        do {
            for keyID in keyRing.keyIDs.dropFirst() {
                if let existing = try await documents.load(try key(provider, subject, keyID)) { return existing.value }
            }
            let end = now().addingTimeInterval(TimeInterval(offer.days) * 86_400).timeIntervalSince1970
            let trial = TrialDocument(
                // Dates are stored in whole seconds.
                version: 1, tier: offer.tier, endsAt: Date(timeIntervalSince1970: end.rounded(.down)))
            let key = try key(provider, subject, keyRing.currentKeyID)
            do throws(ObjectStoreError) {
                return try await documents.create(key, trial).value
            } catch .preconditionFailed {
                guard let existing = try await documents.load(key) else { throw SubscriptionError.contended }
                return existing.value
            }
        } catch let error as SubscriptionError {
            throw error
        } catch let error as ObjectStoreError {
            throw .store(error)
        } catch let error as SecretsError {
            throw .secrets(error)
        } catch {
            throw .contended
        }
    }

    /// Removes the records of trials whose retention is over. One listing for a thousand records, and a read for each that is
    /// older than the retention. Every thirtieth day, counted from 1970, all records are read: a recovery wrote them anew,
    /// perhaps long after their trials.
    package func removeExpired() async throws(SubscriptionError) {
        let time = now()
        let readsAll = Int(time.timeIntervalSince1970) / 86_400 % 30 == 0
        let deadline = time.addingTimeInterval(-Self.retention)
        do throws(ObjectStoreError) {
            var after: String?
            repeat {
                let page = try await documents.store.list(prefix: StorageLayout.trials, after: after, limit: 1000)
                // A record is written once, before its trial ends.
                for object in page.objects where readsAll || object.lastModified <= deadline {
                    try await removeIfExpired(object, at: deadline)
                }
                after = page.isTruncated ? page.objects.last?.key.description : nil
            } while after != nil
        } catch {
            throw .store(error)
        }
    }

    private func removeIfExpired(_ object: ListedObject, at deadline: Date) async throws(ObjectStoreError) {
        do throws(ObjectStoreError) {
            guard let found = try await documents.load(object.key), found.value.endsAt <= deadline else { return }
            _ = try await documents.writes.delete(object.key, if: .matches(found.etag))
        } catch .corrupted {
            // The end of the trial is unknown: the object's date decides.
            guard object.lastModified <= deadline else { return }
            _ = try await documents.writes.delete(object.key, if: .matches(object.etag))
        }
    }

    private func key(_ provider: ProviderName, _ subject: String, _ keyID: String) throws(SecretsError) -> ObjectKey {
        // A provider name contains no line break.
        let code = try keyRing.authenticationCode(of: Data("\(provider)\n\(subject)".utf8), for: .trial, keyID: keyID)
        return ObjectKey(known: StorageLayout.trial("\(keyID)-\(Hex.encode(code))"))
    }
}
