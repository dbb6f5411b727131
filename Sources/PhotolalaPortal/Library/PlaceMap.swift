import Foundation
import PhotoCatalog

/// A map in degrees with a dot for each city. It shows the part of the world that has them, twice as wide as high.
struct PlaceMap {
    /// The smallest width in degrees: the map has no details of regions.
    private static let smallestWidth = 48.0
    /// The space around the dots, as a part of their extent.
    private static let margin = 0.15
    /// The radiuses of dots, the size of names and the space before them, as parts of the width.
    private static let radiuses = 0.011...0.022
    private static let textSize = 0.026
    private static let gap = 0.006

    private let left: Double
    private let top: Double
    private let width: Double
    /// The largest number of photos in a city.
    private let largest: Double

    init(_ places: [PlaceID], largest: Int) {
        let (east, south) = (places.map { Self.degrees($0.longitude) }, places.map { -Self.degrees($0.latitude) })
        let (x, y) = (Self.extent(east), Self.extent(south))
        let width = min(360, max(Self.smallestWidth, max(x.size, y.size * 2) * (1 + 2 * Self.margin)))
        self.width = width
        left = min(max(x.middle - width / 2, -180), 180 - width)
        top = min(max(y.middle - width / 4, -90), 90 - width / 2)
        self.largest = Double(max(largest, 1))
    }

    /// The `viewBox` of the SVG element.
    var viewBox: String { [left, top, width, width / 2].map(Self.text).joined(separator: " ") }

    /// Returns the values of a city's dot for the template.
    func dot(of place: PlaceSummary) -> [String: any Sendable] {
        let (x, y) = (Self.degrees(place.place.longitude), -Self.degrees(place.place.latitude))
        // The area is that of the number of photos.
        let part = (Double(place.count) / largest).squareRoot()
        let radius = width * (Self.radiuses.lowerBound + (Self.radiuses.upperBound - Self.radiuses.lowerBound) * part)
        let isLeft = x < left + width / 2
        let (gap, size) = (radius + width * Self.gap, width * Self.textSize)
        return [
            "x": Self.text(x), "y": Self.text(y), "radius": Self.text(radius), "fontSize": Self.text(size),
            "countY": Self.text(y + radius / 3), "countSize": Self.text(radius * (place.count < 100 ? 1 : 0.75)),
            "textX": Self.text(isLeft ? x + gap : x - gap), "textY": Self.text(y + size / 3),
            "anchor": isLeft ? "start" : "end",
        ]
    }

    private static func degrees(_ thousandths: Int32) -> Double { Double(thousandths) / 1000 }

    private static func extent(_ numbers: [Double]) -> (middle: Double, size: Double) {
        guard let least = numbers.min(), let most = numbers.max() else { return (0, 360) }
        return ((least + most) / 2, most - least)
    }

    private static func text(_ number: Double) -> String { String(format: "%.3f", number) }
}
