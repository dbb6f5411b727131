import Flows
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

/// A stranger learns of nobody's account, neither by what is answered nor by how long it takes. What takes long is asking
/// the store: times are made up of the requests, as a store takes for them; what the processor takes is not measured.
@Suite struct HintTimingTests {
    private typealias Answer = (requests: [RecordingObjectStore.Request.Kind], hints: [ProviderName])

    private func world() async throws -> TestService {
        let service = try await TestService.make()
        _ = try await service.signUp(.google, "bob", email: "bob@gmail.com", device: 1)
        return service
    }

    /// What a sign-in of somebody unknown is told, and what the store was asked for.
    private func signIn(
        _ service: TestService, _ provider: ProviderName, _ number: Int, email: String
    ) async throws -> Answer {
        let token = try service.token(provider, "unknown-\(number)", email: email)
        _ = service.store.takeRequests()
        do {
            _ = try await service.services.signIn(
                SignInRequest(provider: provider, idToken: token, device: TestService.device(2)))
        } catch {
            guard case FlowError.noAccountFound(let unknown) = error else { throw error }
            return (service.store.takeRequests().map(\.kind), unknown.hints)
        }
        throw ConformanceFailure("an account was found")
    }

    /// Answers to two addresses, in turns, as they take their time: for each request of the store's a few milliseconds,
    /// now and then many.
    private func times(_ provider: ProviderName, _ one: String, _ other: String) async throws -> [[Double]] {
        let service = try await world()
        let randomness = Randomness.seeded(7)
        var times: [[Double]] = [[], []]
        for number in 0..<400 {
            let answer = try await signIn(service, provider, number, email: number.isMultiple(of: 2) ? one : other)
            let time = answer.requests.reduce(0.0) { sum, _ in
                let chance = Double(randomness.bytes(1)[0]) / 256
                return sum + 2 + 0.5 / (1.01 - chance)
            }
            times[number % 2].append(time)
        }
        return times
    }

    /// How often one of the first took longer than one of the second, of all pairs; a half where they are alike.
    private func share(_ first: [Double], above second: [Double]) -> Double {
        let wins = first.reduce(0.0) { sum, one in
            sum + second.reduce(0) { $0 + ($1 < one ? 1 : $1 == one ? 0.5 : 0) }
        }
        return wins / Double(first.count * second.count)
    }

    @Test("Whoever has not proved an address gets the same answer after the same requests, whether it has an account")
    func sameRequests() async throws {
        let service = try await world()
        let known = try await signIn(service, .facebook, 1, email: "bob@gmail.com")
        let unknown = try await signIn(service, .facebook, 2, email: "nobody@gmail.com")
        #expect(known.hints.isEmpty && unknown.hints.isEmpty)
        #expect(known.requests == [.read] && unknown.requests == [.read])
    }

    @Test("And after as long: the distributions of times cannot be told apart")
    func sameTimes() async throws {
        let times = try await times(.facebook, "bob@gmail.com", "nobody@gmail.com")
        // Of 200 times each that are alike the share strays by 0.03 from a half.
        let share = share(times[0], above: times[1])
        #expect((0.41...0.59).contains(share), "\(share)")
    }

    @Test("The measure sees what it is to see: to the owner of an address a hint costs requests, and shows")
    func control() async throws {
        let times = try await times(.google, "bob@gmail.com", "nobody@gmail.com")
        let share = share(times[0], above: times[1])
        #expect(share > 0.75, "\(share)")
    }
}
