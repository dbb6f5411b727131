import Accounts
import Flows
import Foundation
import IdentityProviders
import ObjectStorage
import PhotolalaAPI
import Secrets
import Sessions
import StorageAccess

extension Live {
    func makeKeyRing() throws -> KeyRing {
        let master = try settings.masterKey ?? DevelopmentSecrets(data: settings.data).masterKey()
        return KeyRing(current: master, previous: settings.previousMasterKeys)
    }

    /// Before anything is made in the data folder: it may be another environment's.
    func checkStamp(_ store: any ObjectStore) async throws -> StoreStamp {
        do {
            return try await StoreStamp.check(
                store, retry: LiveStore.retry, environment: settings.environment, subjects: settings.subjects,
                subjectKeyID: { try makeKeyRing().currentKeyID }, now: Date()
            )
        } catch StoreStampError.otherEnvironment(let environment) {
            throw StartProblem("the store belongs to \(environment.rawValue), not to \(settings.environment.rawValue)")
        } catch StoreStampError.otherSubjects(let mode) {
            throw StartProblem("the store spells subjects \(mode.rawValue); that is chosen at its first start")
        } catch StoreStampError.otherLayout(let layout) {
            throw StartProblem("the store has layout \(layout), this version reads \(StoreStamp.currentLayout)")
        } catch let error as ObjectStoreError {
            throw StartProblem("the store does not answer: \(error)")
        }
    }

    /// Apple and Google where no real one is set up.
    func developmentProviders() throws -> [DevelopmentProvider] {
        let secrets = try DevelopmentSecrets(data: settings.data)
        let known: [(ProviderName, DevelopmentTokenShape)] = [(.apple, .apple), (.google, .google)]
        return try known.filter { name, _ in !settings.providers.contains { $0.name == name } }.map { name, shape in
            DevelopmentProvider(
                name: name, shape: shape, issuer: "\(settings.publicURL)/dev/providers/\(name)",
                audience: "photolala-dev", key: try secrets.signingKey(name), now: { Date() }, randomness: .system
            )
        }
    }

    /// Refuses a name that stood for another issuer before.
    func registerProviders(_ development: [DevelopmentProvider], in store: any ObjectStore) async throws {
        let registry = ProviderRegistry(store: store)
        // The development provider is the same one wherever it listens.
        let issuers =
            settings.providers.map { ($0.name, $0.issuers.first ?? "") }
            + development.map { ($0.name, "development provider") }
        for (name, issuer) in issuers {
            let known: String
            do {
                known = try await registry.record(issuer, for: name)
            } catch {
                throw StartProblem("the store does not answer: \(error)")
            }
            guard known == issuer else {
                throw StartProblem(
                    """
                    provider \(name) stood for \(known) in this store, now for \(issuer). If the provider itself has \
                    moved: photolala-server accept-issuer \(name) \(issuer)
                    """
                )
            }
        }
    }

    func makeServices(
        _ store: any ObjectStore, _ keyRing: KeyRing, _ stamp: StoreStamp, _ verifiers: [OpenIDTokenVerifier]
    ) -> Services {
        let now: @Sendable () -> Date = { Date() }
        let retry = LiveStore.retry
        let spent = SpentMarks(store: store, retry: retry)
        let keys = SigningKeys(store: store, retry: retry, keyRing: keyRing, now: now, randomness: .system)
        let tokens = AccessTokens(
            issuer: settings.tokenIssuer, audience: settings.tokenAudience, environment: settings.environment,
            keys: keys, now: now
        )
        return Services(
            verifiers: verifiers,
            accounts: AccountDirectory(
                store: store,
                spelling: SubjectSpelling(mode: stamp.subjects, keyID: stamp.subjectKeyID, keyRing: keyRing),
                keyRing: keyRing, retry: retry, now: now, randomness: .system
            ),
            challenges: Challenges(keyRing: keyRing, spent: spent, now: now, randomness: .system),
            pendingIdentities: PendingIdentities(keyRing: keyRing, spent: spent, now: now, randomness: .system),
            spentMarks: spent, profiles: Profiles(store: store, retry: retry),
            sessions: SessionIssuer(
                devices: DeviceDirectory(store: store, retry: retry), tokens: tokens, keyRing: keyRing, now: now,
                randomness: .system
            ),
            signingKeys: keys,
            credentials: SealedCredentialIssuer(
                endpoint: settings.storage.endpoint, region: settings.storage.region, bucket: settings.storage.bucket,
                keyRing: keyRing, randomness: .system
            ),
            usage: UsageCounts(store: store, retry: retry, now: now), store: store,
            rules: FlowRules(
                requiresChallenge: settings.requiresChallenge, allowsContinue: settings.allowsContinue
            ),
            now: now, logger: logger
        )
    }
}
