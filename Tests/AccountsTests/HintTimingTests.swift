import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// Neither the response nor its duration reveals whether an address has an account. Store requests dominate the
/// duration, so times are simulated from the recorded requests; processor time is not measured.
@Suite struct HintTimingTests {
    private typealias Answer = (requests: [RecordingObjectStore.Request.Kind], hints: [ProviderName])

    private func makeService() async throws -> TestService {
        let service = try await TestService.make()
        _ = try await service.signUp(.google, "bob", email: "bob@gmail.com", device: 1)
        return service
    }

    /// Signs in with an unknown identity and returns the hints and the store requests.
    private func signIn(
        _ service: TestService, _ provider: ProviderName, _ number: Int, email: String
    ) async throws -> Answer {
        let token = try service.token(provider, "unknown-\(number)", email: email)
        _ = service.store.drainRequests()
        do {
            _ = try await service.services.signIn.signIn(
                SignInRequest(provider: provider, idToken: token, device: TestService.device(2)))
        } catch {
            guard case ServiceError.noAccountFound(let unknown) = error else { throw error }
            return (service.store.drainRequests().map(\.kind), unknown.hints)
        }
        throw ConformanceFailure("an account was found")
    }

    /// Simulated response times for two addresses, in turns: each store request lasts a few milliseconds, occasionally
    /// many.
    private func times(_ provider: ProviderName, _ one: String, _ other: String) async throws -> [[Double]] {
        let service = try await makeService()
        let randomness = Randomness.seeded(7)
        var times: [[Double]] = [[], []]
        for number in 0..<400 {
            let response = try await signIn(service, provider, number, email: number.isMultiple(of: 2) ? one : other)
            let time = response.requests.reduce(0.0) { sum, _ in
                let chance = Double(randomness.bytes(1)[0]) / 256
                return sum + 2 + 0.5 / (1.01 - chance)
            }
            times[number % 2].append(time)
        }
        return times
    }

    /// The share of all pairs in which a time of the first exceeds one of the second; 0.5 if they are distributed
    /// alike.
    private func share(_ first: [Double], above second: [Double]) -> Double {
        let wins = first.reduce(0.0) { sum, one in
            sum + second.reduce(0) { $0 + ($1 < one ? 1 : $1 == one ? 0.5 : 0) }
        }
        return wins / Double(first.count * second.count)
    }

    @Test("without a verified address, sign-in gets the same response after the same requests, account or not")
    func sameRequests() async throws {
        let service = try await makeService()
        let known = try await signIn(service, .facebook, 1, email: "bob@gmail.com")
        let unknown = try await signIn(service, .facebook, 2, email: "unknown@gmail.com")
        #expect(known.hints.isEmpty && unknown.hints.isEmpty)
        #expect(known.requests == [.read] && unknown.requests == [.read])
    }

    @Test("without a verified address, response times do not reveal whether it has an account")
    func sameTimes() async throws {
        let times = try await times(.facebook, "bob@gmail.com", "unknown@gmail.com")
        // For 200 equally distributed times each, the standard deviation of the share is 0.03.
        let share = share(times[0], above: times[1])
        #expect((0.41...0.59).contains(share), "\(share)")
    }

    @Test("control: for the owner of an address, a hint costs extra requests and the measure detects them")
    func control() async throws {
        let times = try await times(.google, "bob@gmail.com", "unknown@gmail.com")
        let share = share(times[0], above: times[1])
        #expect(share > 0.75, "\(share)")
    }
}
