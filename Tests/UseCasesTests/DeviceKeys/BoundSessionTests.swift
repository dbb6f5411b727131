import Crypto
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// Sessions whose tokens are bound to a key of the device (RFC 9449).
@Suite struct BoundSessionTests {
    private let key = P256.Signing.PrivateKey()
    private let thief = P256.Signing.PrivateKey()

    @Test("a device that proves a key at sign-up, sign-in or continue gets tokens bound to it")
    func binding() async throws {
        var options = TestService.Options()
        options.allowsContinue = true
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob", key: key)
        let up = bob.session
        #expect(up.tokenType == .dpop)
        #expect(try await service.caller(up, key).user == bob.user.serviceUserID)
        let another = P256.Signing.PrivateKey()
        let signedIn = try await service.signIn(.apple, "bob", key: another).session
        #expect(try await service.caller(signedIn, another).session.key != nil)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(up, key) }
        let request = SignUpRequest(
            provider: .apple, idToken: try service.token(.apple, "bob"), device: TestService.device(1))
        let proof = try service.dpopProof(of: key, "POST", Route.continueSignIn.path)
        let on = try await service.services.signUp.continueSignIn(request, proof).session
        #expect(on.tokenType == .dpop)
        #expect(try await service.caller(on, key).session.counter == 0)
    }

    @Test("refreshing a bound session returns the same refresh token for thirty days and writes nothing")
    func refresh() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", key: key)
        service.clock.advance(by: 3600)
        _ = service.store.drainRequests()
        let next = try await service.refresh(bob.session, key)
        #expect(service.store.drainRequests().map(\.kind) == [.read, .read])
        #expect(next.refreshToken == bob.session.refreshToken)
        #expect(next.accessToken != bob.session.accessToken && next.tokenType == .dpop)
        #expect(try await service.caller(next, key).user == bob.user.serviceUserID)
        #expect(next.refreshTokenExpiresAt == bob.session.refreshTokenExpiresAt)
        service.clock.advance(by: 30 * 86_400)
        await #expect(throws: ServiceError.sessionEnded) { try await service.refresh(next, key) }
    }

    @Test("a refresh updates the device's last-seen time once a day")
    func lastSeen() async throws {
        let service = try await TestService.make()
        var session = try await service.signUp(.apple, "bob", key: key).session
        for _ in 0..<30 {
            service.clock.advance(by: 3600)
            session = try await service.refresh(session, key)
        }
        let writes = service.store.drainRequests().filter { $0.kind == .write && $0.key.contains("/devices/") }
        #expect(writes.count == 2, "the sign-up, and once in 30 hours")
        let devices = try await service.services.devices.list(of: try await service.caller(session, key)).devices
        #expect(devices.map(\.lastSeenAt) == [service.clock.now.addingTimeInterval(-6 * 3600)])
        #expect(devices.map(\.isBound) == [true])
    }

    @Test("a refresh succeeds even if the last-seen time cannot be written")
    func lastSeenIsLost() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", key: key)
        let session = bob.session
        service.clock.advance(by: 90_000)
        let store = FaultyObjectStore(service.store)
        let copy = try await TestService.make(store: store, clock: service.clock)
        // The store stops after the reads of account and device.
        store.arm(.stopBefore, at: 2)
        #expect(try await copy.refresh(session, key).refreshToken == session.refreshToken)
        let devices = service.components.sessions.devices
        let record = try await devices.device(session.deviceID, of: bob.user.serviceUserID)
        #expect(record?.value.lastSeenAt == service.clock.now.addingTimeInterval(-90_000))
    }

    @Test("a stolen refresh token is rejected without the key, and the session stays active")
    func stolenRefreshToken() async throws {
        let service = try await TestService.make()
        let session = try await service.signUp(.apple, "bob", key: key).session
        _ = service.store.drainRequests()
        let request = RefreshRequest(refreshToken: session.refreshToken)
        await #expect(throws: ServiceError.invalidDPoPProof("missing for a bound refresh token")) {
            try await service.services.sessions.refresh(request)
        }
        await #expect(throws: ServiceError.invalidDPoPProof("the refresh token is bound to another key")) {
            try await service.refresh(session, thief)
        }
        await #expect(throws: ServiceError.invalidDPoPProof("missing for a bound refresh token")) {
            try await service.services.sessions.signOut(refreshToken: session.refreshToken)
        }
        #expect(service.store.drainRequests().isEmpty, "none of these calls requests the store")
        #expect(try await service.refresh(session, key).refreshToken == session.refreshToken)
    }

    @Test("a stolen access token is rejected as a bearer token and with another key")
    func stolenAccessToken() async throws {
        let service = try await TestService.make()
        let session = try await service.signUp(.apple, "bob", key: key).session
        _ = service.store.drainRequests()
        await #expect(throws: ServiceError.unauthorized("missing DPoP proof for a bound token")) {
            try await service.caller(session)
        }
        await #expect(throws: ServiceError.unauthorized("DPoP proof of another key")) {
            try await service.caller(session, thief)
        }
        await #expect(throws: ServiceError.unauthorized("missing DPoP proof for a bound token")) {
            try await service.services.sessions.signOut(accessToken: session.accessToken)
        }
        #expect(service.store.drainRequests().isEmpty)
        #expect(try await service.caller(session, key).session.key != nil)
    }

    @Test("a device without a key keeps working beside a bound one")
    func sideBySide() async throws {
        let service = try await TestService.make()
        let phone = try await service.signUp(.apple, "bob", device: 1, key: key).session
        var laptop = try await service.signIn(.apple, "bob", device: 2).session
        #expect(laptop.tokenType == .bearer)
        for _ in 0..<3 {
            let old = laptop.refreshToken
            laptop = try await service.services.sessions.refresh(RefreshRequest(refreshToken: old)).session
            #expect(laptop.refreshToken != old && laptop.tokenType == .bearer)
            #expect(try await service.refresh(phone, key).refreshToken == phone.refreshToken)
        }
        let devices = try await service.services.devices.list(of: try await service.caller(laptop)).devices
        #expect(Set(devices.map(\.isBound)) == [true, false])
        await #expect(throws: ServiceError.unauthorized("DPoP proof for an unbound token")) {
            try await service.caller(laptop, key)
        }
        await #expect(throws: ServiceError.invalidDPoPProof("the refresh token is not bound to a key")) {
            try await service.refresh(laptop, key)
        }
        #expect(try await service.caller(laptop).session.key == nil)
    }

    @Test("a bound device stays bound after reauthentication, with only the DPoP proof of its key")
    func reauthenticate() async throws {
        let service = try await TestService.make()
        let session = try await service.signUp(.apple, "bob", key: key).session
        let caller = try await service.caller(session, key, "POST", Route.reauthenticate.path)
        let proof = ReauthenticationRequest(provider: .apple, idToken: try service.token(.apple, "bob"))
        let response = try await service.services.reauthentication.reauthenticate(proof, caller: caller).session
        #expect(response.tokenType == .dpop && response.refreshToken == session.refreshToken)
        let next = session.renewed(by: response)
        await #expect(throws: ServiceError.unauthorized("missing DPoP proof for a bound token")) {
            try await service.caller(next)
        }
        #expect(try await service.caller(next, key).session.key != nil)
    }

    @Test("a new sign-in may bind to another key or to no key, and ends the previous session")
    func rebinding() async throws {
        let service = try await TestService.make()
        let first = try await service.signUp(.apple, "bob", key: key).session
        let another = P256.Signing.PrivateKey()
        let second = try await service.signIn(.apple, "bob", key: another).session
        await #expect(throws: ServiceError.sessionEnded) { try await service.refresh(first, key) }
        await #expect(throws: ServiceError.invalidDPoPProof("the refresh token is bound to another key")) {
            try await service.refresh(second, key)
        }
        let third = try await service.signIn(.apple, "bob").session
        #expect(third.tokenType == .bearer)
        await #expect(throws: ServiceError.sessionEnded) { try await service.refresh(second, another) }
        #expect(try await service.caller(third).session.key == nil)
    }

    @Test("a bound refresh token cannot be converted into an unbound one, or the reverse")
    func kinds() async throws {
        let service = try await TestService.make()
        let bound = try await service.signUp(.apple, "bob", device: 1, key: key).session.refreshToken
        let free = try await service.signIn(.apple, "bob", device: 2).session.refreshToken
        let parts = try [bound, free].map { token in
            let fields = token.split(separator: ".").map(String.init)
            return (fields, try #require(Base64URL.decode(fields[2])))
        }
        let counter = Data([0, 0, 0, 0])
        let forged = [
            // The ids of the bound token with a counter, under either code.
            (parts[0].1.prefix(48) + counter, parts[0].0[3]), (parts[0].1.prefix(48) + counter, parts[1].0[3]),
            // The ids of the unbound token with the attacker's key.
            (parts[1].1.prefix(48) + Data(repeating: 1, count: 32), parts[1].0[3]),
            (parts[0].1.prefix(48), parts[0].0[3]),
        ]
        for (bytes, code) in forged {
            let token = ["plr", parts[0].0[1], Base64URL.encode(Data(bytes)), code].joined(separator: ".")
            await #expect(throws: ServiceError.sessionEnded) {
                try await service.services.sessions.refresh(RefreshRequest(refreshToken: token))
            }
        }
    }

    @Test("signing out with either token requires the DPoP proof")
    func signOut() async throws {
        let service = try await TestService.make()
        let first = try await service.signUp(.apple, "bob", key: key).session
        let byAccess = try service.dpopProof(of: key, "POST", Route.signOut.path, accessToken: first.accessToken)
        try await service.services.sessions.signOut(accessToken: first.accessToken, byAccess)
        await #expect(throws: ServiceError.sessionEnded) { try await service.caller(first, key) }
        let second = try await service.signIn(.apple, "bob", key: key).session
        try await service.services.sessions.signOut(
            refreshToken: second.refreshToken, try service.dpopProof(of: key, "POST", Route.signOut.path))
        await #expect(throws: ServiceError.sessionEnded) { try await service.refresh(second, key) }
    }

    @Test("a rejected DPoP proof does not spend the challenge")
    func challengeIsKept() async throws {
        var options = TestService.Options()
        options.requiresChallenge = true
        let service = try await TestService.make(options)
        _ = try await service.signUp(.apple, "bob")
        let device = TestService.device(1)
        let proof = try service.idTokenRequest(.apple, "bob", .signin, device: device.id)
        let request = SignInRequest(
            provider: .apple, idToken: proof.idToken, challenge: proof.challenge, device: device)
        let elsewhere = try service.dpopProof(of: key, "POST", "/auth/elsewhere")
        service.clock.advance(by: 300)
        await #expect(throws: ServiceError.nonceRequired) {
            try await service.services.signIn.signIn(request, elsewhere)
        }
        let good = try service.dpopProof(of: key, "POST", Route.signIn.path)
        #expect(try await service.services.signIn.signIn(request, good).session.tokenType == .dpop)
    }
}
