import Accounts
import Foundation
import JSONCoding
import Testing

@testable import IdentityProviders

@Suite("randomly damaged tokens")
struct TokenMutationTests {
    /// The generator of Numerical Recipes, which yields the same damage on every run.
    private struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test("a damaged token is refused without a crash")
    func damageIsRefused() async throws {
        let fixture = try VerifierFixture(.es256)
        let token = Array(try fixture.token().utf8)
        var generator = SeededGenerator(state: 20_261_121)
        for _ in 0..<3000 {
            var damaged = token
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: damaged[index] = UInt8.random(in: 0...127, using: &generator)
                case 1: damaged.remove(at: index)
                default: damaged.insert(damaged[Int.random(in: 0..<damaged.count, using: &generator)], at: index)
                }
            }
            guard damaged != token else { continue }
            let text = String(decoding: damaged, as: UTF8.self)
            await #expect(throws: IdentityTokenError.self) { try await fixture.verifier.verify(text) }
        }
    }

    @Test("damaged claims are read or refused without a crash")
    func damagedClaimsDoNotTrap() throws {
        let claims = #"{"iss":"i","sub":"s\u00e9","aud":["a"],"exp":1.79e9,"iat":-0,"email":"a@b","x":[{},[null]]}"#
        var generator = SeededGenerator(state: 7)
        var readable = 0
        for _ in 0..<20_000 {
            var damaged = Array(claims.utf8)
            for _ in 0..<3 {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[index] = Array(#"{}[]",:\eE+-.0129u"#.utf8).randomElement(using: &generator) ?? 0
            }
            let ours = try? JSONReader.read(damaged)
            if ours != nil {
                readable += 1
                // Foundation must accept whatever the stricter `JSONReader` accepts.
                #expect((try? JSONSerialization.jsonObject(with: Data(damaged))) != nil)
            }
            _ = try? OpenIDClaims(Data(damaged))
        }
        #expect(readable > 0)
    }
}
