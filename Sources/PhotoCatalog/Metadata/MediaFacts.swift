/// The metadata of a photo or video, as far as it could be read.
package struct MediaFacts: Sendable, Hashable {
    /// When it was taken.
    package var taken: CaptureDate?
    /// The size in pixels as stored, before `orientation` is applied; 1 to 1,000,000 each.
    package var width: Int32?
    package var height: Int32?
    /// The EXIF orientation for display, 1 to 8; `nil` counts as 1.
    package var orientation: UInt8?
    /// Where it was taken.
    package var location: GeoLocation?
    /// The average color of its thumbnail.
    package var color: PictureColor?
    /// The duration of a video.
    package var duration: MediaDuration?
    /// The camera that took it.
    package var camera: CameraName?

    package init(
        taken: CaptureDate? = nil, width: Int32? = nil, height: Int32? = nil, orientation: UInt8? = nil,
        location: GeoLocation? = nil, color: PictureColor? = nil, duration: MediaDuration? = nil,
        camera: CameraName? = nil
    ) {
        self.taken = taken
        self.width = width
        self.height = height
        self.orientation = orientation
        self.location = location
        self.color = color
        self.duration = duration
        self.camera = camera
    }
}
