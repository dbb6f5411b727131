import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Access tokens whose signature the instance has verified before.
@Suite struct AccessTokenTests {
    @Test("a token that was accepted before is refused once it has expired")
    func expired() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        for _ in 0..<2 { _ = try await service.caller(bob) }
        service.clock.advance(by: 3601)
        await #expect(throws: ServiceError.unauthorized("expired")) { try await service.caller(bob) }
    }

    @Test("a token that was accepted before is refused once its signing key is gone")
    func forgottenKey() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        for _ in 0..<2 { _ = try await service.caller(bob) }
        try await service.store.delete(ObjectKey(known: StorageLayout.signingKeys), if: .always)
        try await service.services.signingKeys.maintain()
        await #expect(throws: ServiceError.unauthorized("unknown key")) { try await service.caller(bob) }
    }

    @Test("a changed token is refused, although the original was accepted before")
    func changed() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        _ = try await service.caller(bob)
        for position in [0, 40, bob.accessToken.utf8.count - 2] {
            var bytes = Array(bob.accessToken.utf8)
            bytes[position] = bytes[position] == 0x41 ? 0x42 : 0x41
            let token = String(decoding: bytes, as: UTF8.self)
            await #expect {
                _ = try await service.services.authenticator.authenticate(token)
            } throws: {
                if case .unauthorized? = $0 as? ServiceError { true } else { false }
            }
        }
    }
}
