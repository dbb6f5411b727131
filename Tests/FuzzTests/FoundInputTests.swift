import Foundation
import Testing

/// Inputs that were once mishandled.
@Suite struct FoundInputTests {
    private static let found: [(parser: String, input: String, isAccepted: Bool)] = [
        // Crashed the process: the XML parser in use failed on names that are not UTF-8.
        ("token service", "PEFzc3VtZVJvbGVSZXNwb25zZT48RXhwaXJhdGlv724+PC9BPg==", false),
        ("S3 listing", "PExpc3RCdWNrZXRSZXN1bHQ+PElzVHJ1bmNhdGVk724+PC9BPg==", false),
        // Crashed the process: Foundation's property list parser fails on a set in the binary format.
        (
            "photo's description",
            "YnBsaXN0MDDTAQIDBAUGVG5hbWVZY3JlYXRlZEF0UW4TYi5qcGczQcgwuYAAAACjBwgJEAEjQAQAAAAAAADRCgtRa8EB"
                + "CA8UHiAmLzM1PkFDAAAAAAAAAQEAAAAAAAAADAAAAAAAAAAAAAAAAAAAAEU=",
            true
        ),
        // `0a000000-0000-4000-8000-0000-000000A`
        ("UUID", "MGEwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMC0wMDAwMDBB", false),
        // `http://[:%3a0]/` was sent to `[::0]`.
        ("address to send to", "aHR0cDovL1s6JTNhMF0v", false),
        // An escaped slash of the path: the same signature for another bucket.
        (
            "signature in the query",
            "UFVUIC9waG90b2xhbGEtZGV2JTJmcGhvdG9zLyVDMyVBOT9YLUFtei1BbGdvcml0aG09QVdTNC1ITUFDLVNIQTI1NiZY"
                + "LUFtei1DcmVkZW50aWFsPVBMU0FCSDZMWkFGVklXQjZBS0kzJTJGMjAyNjA5MjElMkZ1cy1lYXN0LTElMkZzMyUyRmF3"
                + "czRfcmVxdWVzdCZYLUFtei1EYXRlPTIwMjYwOTIxVDE0MTMyMFomWC1BbXotRXhwaXJlcz02MDAmWC1BbXotU2lnbmVk"
                + "SGVhZGVycz1ob3N0JlgtQW16LVNlY3VyaXR5LVRva2VuPWsuemtJdlpDbXpob1BfYkRWM1MwR0sxcWNLYlFqcTFkNFBk"
                + "R1RHeS12aDM4UUpiSXhsWkhnNW5LZXNlT3kzTFEyZkFQSGpUbEZVVTRCVG9kOW83OGlxRF96WDZ1dWN3dGR1anZlT0Zy"
                + "OVJkU3Rxak01Ukg4V21pRHNESXJXMWtkNWZ1NHFfTDFSVVZ2TmpicmlWQngyUVM2Vi0wZy1aYUZ2RDNSU3ZRZkVzRTRG"
                + "ZFgtTTBaY2VfdXBjdTlPS3BxdVpudWJPOXJQZ0JzR01FeURTd1hwV0MwZkRmdEJkdVdwSWJlbk9iWmJhMkM5LXdyWFhM"
                + "MWtZUTlxbDV5dXpENkhsbERyRDVObXpIWGJQU05GSHJnUHllYmtnYlBQcjJCeFlaOGJNbzlrRXdoX3FicGkyTHlLSWJF"
                + "T21TbUV6RG10YXBaYTBxU1hfTzMxeEFZM3Rtc0NJQTdxck5XOWJVZVpWWmotNHN6VEVSQjlWVFNtNFQ2NTA5RHd0S1U1"
                + "eHZ1MWlHeGVoVlM4SWJUSmJwU0RPdU1OdnhiOXExQ2llRkJvcXh4YWsmWC1BbXotU2lnbmF0dXJlPTZiZGE3NWQ3MTAz"
                + "YjkxNjhmZGQwMmVhYzQ3ZDcwNWJhMzMzYmQ2NTI4M2U0MjY4ZjVlMzBmOGJiZDgxMjk5ZjI=",
            false
        ),
        // An element with a name that cannot be written again: `Ktp://s3.amazonaws.com`.
        (
            "S3 XML",
            "PD94bWwgdmVyc2lvbj0iMS4wIj8+CjxEZWxldGUgeG1sbnM9Imh0dHA6Ly9zMy5hbWF6b25hd3MuY29tL2RvYy8yMDA2"
                + "LTAzLTAxLyI+PFF1aWV0PnRydWU8L1F1aWV0PjxPYmplY3Q+PEtleT5hICZhbXA7IGIgJiMyMzM7PC9LZXk+PC9PYmpl"
                + "Y3Q+PE9iamVjdCA+PEt0cDovL3MzLmFtYXpvbmF3cy5jdHA6Ly9zMy5hbWF6b25hd3MuY3RwOi8vczMuYW1hem9uYXdz"
                + "LmNleS8+PC9PYmplY3Q+PC9EZWxldGU+",
            false
        ),
    ]

    @Test(arguments: found) func `an input that was once mishandled is accepted or rejected as expected`(
        _ name: String, _ input: String, _ isAccepted: Bool
    ) async throws {
        let parser = try #require(try await FuzzedParser.all().first { $0.name == name })
        let bytes = [UInt8](try #require(Data(base64Encoded: input)))
        let accepted = try await parser.accepts(bytes)
        #expect(accepted == isAccepted)
    }
}
