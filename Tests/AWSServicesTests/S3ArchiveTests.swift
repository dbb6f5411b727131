import HTTPTypes
import ObjectStorage
import Testing

@Suite("S3 archives") struct S3ArchiveTests {
    private static let week = RetrievalRequest(speed: .standard, days: 7)

    /// Returns a response to HEAD.
    private static func head(_ storageClass: String?, _ more: [String: String] = [:]) -> FakeTransport.Reply {
        let plain = ["ETag": "\"tag\"", "Content-Length": "5", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
        let named = storageClass.map { ["x-amz-storage-class": $0] } ?? [:]
        return .response(200, plain.merging(named) { $1 }.merging(more) { $1 })
    }

    private static func document(_ days: String, _ tier: String) -> String {
        #"<RestoreRequest xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"# + days
            + "<GlacierJobParameters><Tier>\(tier)</Tier></GlacierJobParameters></RestoreRequest>"
    }

    @Test("reading an archived object throws `archived` and is not retried")
    func told() async throws {
        let refusal = FakeTransport.Reply.error(403, "InvalidObjectState")
        let fixture = try ScriptedStore([refusal, refusal])
        await #expect(throws: ObjectStoreError.archived) { try await fixture.store.read(try key("a"), range: .from(3)) }
        await #expect(throws: ObjectStoreError.archived) { try await fixture.store.get(try key("a")) }
        #expect(fixture.transport.requests.count == 2)
    }

    @Test(
        "each archive receives its own form of request",
        arguments: [
            (head("GLACIER"), document("<Days>7</Days>", "Standard"), 5),
            (head("DEEP_ARCHIVE"), document("<Days>7</Days>", "Standard"), 12),
            (head("INTELLIGENT_TIERING", ["x-amz-archive-status": "ARCHIVE_ACCESS"]), document("", "Standard"), 5),
            (
                head("INTELLIGENT_TIERING", ["x-amz-archive-status": "DEEP_ARCHIVE_ACCESS"]), document("", "Standard"),
                12
            ),
            (head("COLD"), document("<Days>7</Days>", "Standard"), 5),
        ] as [(FakeTransport.Reply, String, Int)]
    )
    func asked(head: FakeTransport.Reply, document: String, hours: Int) async throws {
        let fixture = try ScriptedStore([head, .response(202)])
        let response = try await fixture.store.restoreFromArchive(try key("photos/u/a.dat"), Self.week)
        #expect(response == .started(within: .seconds(hours * 3600)))
        #expect(fixture.transport.requests.map(\.method) == ["HEAD", "POST"])
        let request = try #require(fixture.transport.requests.last)
        #expect(request.url == "http://127.0.0.1:9000/photolala-dev/photos/u/a.dat?restore=")
        #expect(request.body == document)
        #expect(request.headers[.authorization]?.hasPrefix("AWS4-HMAC-SHA256 ") == true)
    }

    @Test("speeds are mapped to tiers, and deep archives do not support the fastest one")
    func speeds() async throws {
        for (speed, tier, time) in [
            (.bulk, "Bulk", 12 * 3600), (.standard, "Standard", 5 * 3600), (.expedited, "Expedited", 300),
        ] as [(RetrievalTier, String, Int)] {
            let fixture = try ScriptedStore([Self.head("GLACIER"), .response(202)])
            let response = try await fixture.store.restoreFromArchive(
                try key("a"), RetrievalRequest(speed: speed, days: 30))
            #expect(response == .started(within: .seconds(time)))
            #expect(fixture.transport.requests.last?.body == Self.document("<Days>30</Days>", tier))
        }
        for head in [
            Self.head("DEEP_ARCHIVE"), Self.head(nil, ["x-amz-archive-status": "DEEP_ARCHIVE_ACCESS"]),
        ] {
            let fixture = try ScriptedStore([head])
            let order = RetrievalRequest(speed: .expedited, days: 1)
            #expect(try await fixture.store.restoreFromArchive(try key("a"), order) == .tierUnavailable)
        }
    }

    @Test("an object that is being restored, readable or missing is not requested")
    func notAsked() async throws {
        let cases: [(FakeTransport.Reply, RetrievalOutcome?)] = [
            (Self.head("GLACIER", ["x-amz-restore": #"ongoing-request="true""#]), .inProgress),
            (
                Self.head(
                    "GLACIER",
                    ["x-amz-restore": #"ongoing-request="false", expiry-date="Mon, 21 Dec 2099 00:00:00 GMT""#]),
                .available
            ),
            (Self.head("INTELLIGENT_TIERING"), .available), (.response(404), nil),
        ]
        for (head, expected) in cases {
            let fixture = try ScriptedStore([head])
            #expect(try await fixture.store.restoreFromArchive(try key("a"), Self.week) == expected)
            #expect(fixture.transport.requests.count == 1)
        }
    }

    @Test(
        "an object whose restored copy has expired is requested again",
        arguments: [
            head(
                "GLACIER", ["x-amz-restore": #"ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT""#]),
            head(
                "INTELLIGENT_TIERING",
                ["x-amz-restore": #"ongoing-request="false""#, "x-amz-archive-status": "ARCHIVE_ACCESS"]),
        ]
    )
    func archivedAgain(head: FakeTransport.Reply) async throws {
        let fixture = try ScriptedStore([head, .response(202)])
        guard case .started = try await fixture.store.restoreFromArchive(try key("a"), Self.week) else {
            Issue.record("the object was not requested")
            return
        }
        #expect(fixture.transport.requests.count == 2)
    }

    @Test(
        "each response to a restore request is mapped to its result",
        arguments: [
            (.response(200), .available), (.error(409, "RestoreAlreadyInProgress"), .inProgress),
            (.error(503, "GlacierExpeditedRetrievalNotAvailable"), .tierUnavailable),
            (.error(403, "ObjectAlreadyInActiveTierError"), .available),
            (.error(403, "InvalidObjectState"), .available),
            (.error(404, "NoSuchKey"), nil),
        ] as [(FakeTransport.Reply, RetrievalOutcome?)]
    )
    func answers(reply: FakeTransport.Reply, expected: RetrievalOutcome?) async throws {
        let fixture = try ScriptedStore([Self.head("GLACIER"), reply])
        #expect(try await fixture.store.restoreFromArchive(try key("a"), Self.week) == expected)
        #expect(fixture.transport.requests.count == 2 && fixture.waits.count == 0)
    }

    @Test("a rejected restore request is an error, and a throttled one is retried")
    func refused() async throws {
        for reply in [
            FakeTransport.Reply.error(403, "AccessDenied"), .error(501, "NotImplemented"), .error(400, "MalformedXML"),
        ] {
            let fixture = try ScriptedStore([Self.head("GLACIER"), reply, .page(["a"])])
            let error = await #expect(throws: ObjectStoreError.self) {
                try await fixture.store.restoreFromArchive(try key("a"), Self.week)
            }
            guard case .denied = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        let patient = try ScriptedStore([
            Self.head("GLACIER"), .error(503, "SlowDown"), .response(503), .response(202),
        ])
        #expect(
            try await patient.store.restoreFromArchive(try key("a"), Self.week) == .started(within: .seconds(18_000)))
        #expect(patient.waits.count == 2)
    }
}
