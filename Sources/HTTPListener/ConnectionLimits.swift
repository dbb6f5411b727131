/// What one connection of a listener may take.
package struct ConnectionLimits: Sendable {
    /// The largest sum of a request's header fields, in bytes.
    package let headerBytes: Int
    /// The most header fields of a request.
    package let headerFields: Int
    /// How long a connection may be silent, how long the head of a request may take, and how long a client may take
    /// nothing of its answers.
    package let idleTime: Duration
    /// How fast bodies must come.
    package let bodyPace: BodyPace
    /// How much of a body that nobody wants is read and thrown away behind its answer, in bytes. A little must be, or the
    /// answer is lost to a reset.
    package let unwantedBytes: Int
    /// How long such a rest is listened to.
    package let unwantedTime: Duration

    package init(
        headerBytes: Int, headerFields: Int, idleTime: Duration, bodyPace: BodyPace, unwantedBytes: Int = 1 << 20,
        unwantedTime: Duration = .seconds(10)
    ) {
        self.headerBytes = headerBytes
        self.headerFields = headerFields
        self.idleTime = idleTime
        self.bodyPace = bodyPace
        self.unwantedBytes = unwantedBytes
        self.unwantedTime = unwantedTime
    }
}
