/// What happens around the content of a request.
struct BodyEvents: Sendable {
    /// Called before the first byte is requested.
    let onStart: @Sendable () async throws -> Void
    /// Called after the last byte, before a consumer can reach the end of the content.
    let onEnd: @Sendable () async throws -> Void
}
