import Accounts
import Foundation
import Monitoring
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing

@testable import UseCases

/// What the use cases record as metrics.
@Suite struct ServiceMetricsTests {
    /// Returns the lines of a metric that are not comments.
    private func lines(_ metric: MetricDefinition, _ service: TestService) -> [String] {
        service.metrics.prometheusText().split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("\(metric.name){") || $0.hasPrefix("\(metric.name) ")
        }
    }

    @Test("sign-ups, sign-ins and links are counted by provider and outcome")
    func signIns() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob").session
        await #expect(throws: ServiceError.accountAlreadyExists) { try await service.signUp(.apple, "bob") }
        _ = try await service.signIn(.apple, "bob", device: 2)
        _ = try? await service.signIn(.google, "unknown", device: 3)
        let device = TestService.device(4)
        await #expect(throws: ServiceError.self) {
            try await service.services.signIn.signIn(
                SignInRequest(provider: .google, idToken: "forged", device: device))
        }
        _ = try await service.link(.google, "bob", in: bob)
        _ = try await service.signUp(.facebook, "eve", device: 5)
        await #expect(throws: ServiceError.providerAlreadyLinked) {
            try await service.link(.facebook, "eve", in: bob)
        }
        #expect(
            lines(ServiceMetric.signIns, service) == [
                #"photolala_sign_ins_total{provider="apple",outcome="conflict"} 1"#,
                #"photolala_sign_ins_total{provider="apple",outcome="success"} 2"#,
                #"photolala_sign_ins_total{provider="facebook",outcome="success"} 1"#,
                #"photolala_sign_ins_total{provider="google",outcome="rejected"} 1"#,
                #"photolala_sign_ins_total{provider="google",outcome="unlinked"} 1"#,
            ])
        #expect(
            lines(ServiceMetric.accountsCreated, service) == [
                #"photolala_accounts_created_total{provider="apple"} 1"#,
                #"photolala_accounts_created_total{provider="facebook"} 1"#,
            ])
        #expect(
            lines(ServiceMetric.links, service) == [
                #"photolala_links_total{provider="facebook",outcome="conflict"} 1"#,
                #"photolala_links_total{provider="google",outcome="success"} 1"#,
            ])
        #expect(lines(ServiceMetric.identityConflicts, service) == ["photolala_identity_conflicts_total 2"])
    }

    @Test("an attempt that the store fails is counted, and so is a pending identity that is invalid")
    func failures() async throws {
        let clock = TestClock()
        let faulty = FaultyObjectStore(MemoryObjectStore { clock.now })
        let service = try await TestService.make(.init(), store: faulty, clock: clock)
        _ = try await service.signUp(.apple, "bob")
        faulty.arm(.unavailable, at: 1)
        await #expect(throws: ServiceError.self) { try await service.signIn(.apple, "bob", device: 2) }
        await #expect(throws: ServiceError.self) {
            try await service.services.signUp.signUp(
                SignUpRequest(pendingIdentity: "junk", device: TestService.device(3)))
        }
        #expect(
            lines(ServiceMetric.signIns, service) == [
                #"photolala_sign_ins_total{provider="apple",outcome="failed"} 1"#,
                #"photolala_sign_ins_total{provider="apple",outcome="success"} 1"#,
                #"photolala_sign_ins_total{provider="pending",outcome="rejected"} 1"#,
            ])
    }

    @Test("series with known labels exist from the start, so that the first increment is an increase")
    func prepared() throws {
        let registry = MetricRegistry(ServiceMetric.all)
        ServiceMetrics(factory: registry).prepare(providers: [.apple])
        let text = registry.prometheusText()
        for line in [
            #"photolala_sign_ins_total{provider="apple",outcome="failed"} 0"#, "photolala_refresh_reuse_total 0",
            #"photolala_links_total{provider="pending",outcome="conflict"} 0"#,
            #"photolala_rate_limited_total{limit="session"} 0"#,
            #"photolala_credentials_issued_total{access="read"} 0"#,
        ] { #expect(text.contains("\(line)\n"), "\(line)") }
    }

    @Test("the reuse of a refresh token, and calls that a limit refuses, are counted")
    func refusals() async throws {
        var options = TestService.Options()
        options.callRates = CallRates(address: 1, identity: 0, total: 0)
        let service = try await TestService.make(options)
        let first = try await service.signUp(.apple, "bob").session
        for seconds in [0, 31] {
            service.clock.advance(by: TimeInterval(seconds))
            _ = try? await service.services.sessions.refresh(RefreshRequest(refreshToken: first.refreshToken))
        }
        #expect(lines(ServiceMetric.refreshReuse, service) == ["photolala_refresh_reuse_total 1"])
        for _ in 0..<3 { try? service.components.limits.consume(ClientRateLimitKey(ipv4: 7)) }
        #expect(lines(ServiceMetric.rateLimited, service) == [#"photolala_rate_limited_total{limit="address"} 2"#])
    }

    @Test("issued credentials are counted by access level, and refused uploads")
    func storage() async throws {
        var options = TestService.Options()
        options.plan = TierPlan([.free: .init(storageLimit: 1000, products: [])])
        options.reservesUploads = true
        let service = try await TestService.make(options)
        let bob = try await service.signUp(.apple, "bob").session
        _ = try await service.services.storageAccess.issueCredentials(try await service.caller(bob))
        #expect(
            lines(ServiceMetric.credentialsIssued, service) == [
                #"photolala_credentials_issued_total{access="readDelete"} 1"#
            ])
        let request = UploadRequest(md5: String(repeating: "a", count: 32), size: 1001, kind: .photo)
        await #expect(throws: ServiceError.quotaExceeded(used: 0, limit: 1000)) {
            try await service.services.uploads.reserveUpload(request, caller: try await service.caller(bob))
        }
        #expect(lines(ServiceMetric.quotaRefusals, service) == ["photolala_quota_refusals_total 1"])
    }

    @Test("the totals of a job are reported by the instance that ran it and by those that read its lease")
    func totals() async throws {
        let clock = TestClock()
        let first = try await TestService.make(clock: clock)
        var options = TestService.Options()
        options.seed = 2
        let second = try await TestService.make(options, store: first.store, clock: clock)
        let bob = try await first.signUp(.apple, "bob")
        _ = try await first.link(.google, "bob", in: bob.session)
        _ = try await first.signUp(.facebook, "eve", device: 5)
        let photo = ObjectKey(
            known: StorageLayout.photo(bob.user.serviceUserID, md5: String(repeating: "a", count: 32)))
        _ = try await first.store.put(photo, ByteBuffer(string: "photo"), if: .absent)
        for service in [first, second] {
            let monitor = service.services.jobMonitor
            monitor.add("usage", every: 600)
            monitor.recordStart("usage")
            _ = monitor.recordEnd("usage", try await service.services.maintenance.run(.usage, every: .seconds(600)))
            #expect(lines(ServiceMetric.accounts, service).contains(#"photolala_accounts{tier="free"} 2"#))
            #expect(lines(ServiceMetric.storedBytes, service).contains(#"photolala_stored_bytes{tier="free"} 5"#))
            #expect(lines(ServiceMetric.storedBytes, service).contains(#"photolala_stored_bytes{tier="premium"} 0"#))
            let linked = lines(ServiceMetric.linkedProviders, service)
            #expect(linked.contains(#"photolala_accounts_linked_providers{count="1"} 1"#))
            #expect(linked.contains(#"photolala_accounts_linked_providers{count="2"} 1"#))
            #expect(
                lines(ServiceMetric.jobLastSuccess, service) == [
                    #"photolala_job_last_success_timestamp_seconds{job="usage"} \#(Int(clock.now.timeIntervalSince1970))"#
                ])
            #expect(lines(ServiceMetric.jobInterval, service) == [#"photolala_job_interval_seconds{job="usage"} 600"#])
            let runs = service.metrics.prometheusText().contains(
                #"photolala_job_duration_seconds_count{job="usage"} 1"#)
            #expect(runs == (service.metrics === first.metrics))
        }
    }

    @Test("a deletion that is not complete 8 days after its date is overdue, unless a legal hold delays it")
    func overdueDeletions() async throws {
        var options = TestService.Options()
        options.erasure = DeniedErasure()
        let service = try await TestService.make(options)
        let support = AccountSupport(
            accounts: service.components.accounts, codes: service.components.deletionCodes)
        let reason = try #require(OperatorReason("order 7"))
        for (device, subject) in ["bob", "eve"].enumerated() {
            let user = try await service.signUp(.apple, subject, device: device + 1).user.serviceUserID
            if subject == "eve" { try await support.placeHold(on: user, reason: reason) }
            _ = try await support.scheduleDeletion(of: user, reason: reason)
        }
        service.clock.advance(by: 22 * 86_400 + 1)
        #expect(try await service.services.accountErasure.eraseDueAccounts() == JobTotals(overdueDeletions: 1))
        service.clock.advance(by: -2)
        #expect(try await service.services.accountErasure.eraseDueAccounts() == JobTotals(overdueDeletions: 0))
    }

    @Test("the age of the oldest unsent event counts from when the instance first saw it")
    func deliveryAges() throws {
        let ages = DeliveryAges()
        let start = Date(timeIntervalSince1970: 1_780_000_000)
        func list(_ names: [String], after seconds: TimeInterval) throws -> TimeInterval {
            var listing = ages.beginListing()
            let objects = try names.map {
                ListedObject(
                    key: try #require(ObjectKey($0)), etag: ETag("x"), size: 1, lastModified: start)
            }
            listing.add(objects, at: start + seconds)
            return ages.complete(listing, at: start + seconds)
        }
        #expect(try list([], after: 0) == 0)
        #expect(try list(["a"], after: 10) == 0)
        #expect(try list(["a", "b"], after: 40) == 30)
        #expect(try list(["b"], after: 50) == 10)
        #expect(try list((0..<DeliveryAges.maximum + 5).map { "a\($0)" } + ["b"], after: 60) == 20)
        #expect(try list([], after: 70) == 0)
    }
}
