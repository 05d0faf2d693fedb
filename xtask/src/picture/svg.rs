//! A screen of a terminal as an SVG picture: blocks as rectangles, everything else as text.

use std::fmt::Write;

use vt100::{Cell, Color, Screen};

/// A cell in pixels.
const WIDTH: u16 = 9;
const HEIGHT: u16 = 18;
/// Around the screen.
const MARGIN: u16 = 16;
const FONT_SIZE: u16 = 15;
/// From the top of a cell to the line that letters stand on.
const BASELINE: u16 = 14;
const FOREGROUND: &str = "#d6d2c9";
const BACKGROUND: &str = "#17191d";
/// What dim letters keep of their ink.
const DIM: &str = "0.55";

/// Draws the screen.
pub(super) fn of(screen: &Screen) -> String {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let (width, height) = (columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN);
    let mut blocks = Vec::new();
    let mut texts = String::new();
    for row in 0..rows {
        let cells: Vec<Option<&Cell>> = (0..columns).map(|column| screen.cell(row, column)).collect();
        for (column, cell) in (0..columns).zip(&cells) {
            blocks.extend(cell.iter().flat_map(|cell| blocks_of(cell, column, row)));
        }
        texts += &texts_of(&cells, row);
    }
    let blocks: String = joined(blocks).iter().map(Block::svg).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>Crownhead in a terminal</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"{BACKGROUND}\"/>\n\
         <g shape-rendering=\"crispEdges\">\n{blocks}</g>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"{FONT_SIZE}\" xml:space=\"preserve\">\n{texts}</g>\n</svg>\n"
    )
}

/// A rectangle of one colour.
struct Block {
    x: u16,
    y: u16,
    width: u16,
    height: u16,
    colour: String,
}

impl Block {
    fn svg(&self) -> String {
        let Block { x, y, width, height, colour } = self;
        format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>\n")
    }
}

/// The background of a cell, and the quarters that its character fills.
fn blocks_of(cell: &Cell, column: u16, row: u16) -> Vec<Block> {
    let (x, y) = (MARGIN + column * WIDTH, MARGIN + row * HEIGHT);
    let (ink, paper) = colours(cell);
    let mut blocks = Vec::new();
    if paper != BACKGROUND {
        blocks.push(Block { x, y, width: WIDTH, height: HEIGHT, colour: paper });
    }
    let half = (WIDTH / 2, HEIGHT / 2);
    for (dx, dy, width, height) in match cell.contents() {
        "█" => vec![(0, 0, WIDTH, HEIGHT)],
        "▀" => vec![(0, 0, WIDTH, half.1)],
        "▄" => vec![(0, half.1, WIDTH, HEIGHT - half.1)],
        "▙" => vec![(0, 0, half.0, half.1), (0, half.1, WIDTH, HEIGHT - half.1)],
        "▟" => vec![(half.0, 0, WIDTH - half.0, half.1), (0, half.1, WIDTH, HEIGHT - half.1)],
        _ => vec![],
    } {
        blocks.push(Block { x: x + dx, y: y + dy, width, height, colour: ink.clone() });
    }
    blocks
}

/// Blocks side by side become one.
fn joined(blocks: Vec<Block>) -> Vec<Block> {
    let mut wide: Vec<Block> = Vec::new();
    for block in blocks {
        let neighbour = wide.iter_mut().rev().take(4).find(|left| {
            left.x + left.width == block.x
                && (left.y, left.height) == (block.y, block.height)
                && left.colour == block.colour
        });
        match neighbour {
            Some(left) => left.width += block.width,
            None => wide.push(block),
        }
    }
    wide
}

/// The words of a row, those of one style together.
fn texts_of(cells: &[Option<&Cell>], row: u16) -> String {
    let y = MARGIN + row * HEIGHT + BASELINE;
    let mut svg = String::new();
    let letters = |cell: &&Cell| is_letter(cell.contents());
    let styled: Vec<(Option<String>, &str)> = cells
        .iter()
        .map(|cell| cell.filter(letters).map_or((None, ""), |cell| (Some(style(cell)), cell.contents())))
        .collect();
    let mut column = 0;
    for run in styled.chunk_by(|one, other| one.0 == other.0) {
        if let Some(style) = &run[0].0 {
            let x = MARGIN + column * WIDTH;
            let width = run.len() as u16 * WIDTH;
            let text: String = run.iter().map(|(_, text)| escaped(text)).collect();
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" textLength=\"{width}\"{style}>{text}</text>");
        }
        column += run.len() as u16;
    }
    svg
}

fn is_letter(text: &str) -> bool {
    !matches!(text, "" | " " | "█" | "▀" | "▄" | "▙" | "▟")
}

fn style(cell: &Cell) -> String {
    let mut style = format!(" fill=\"{}\"", colours(cell).0);
    for (is_set, attribute) in [
        (cell.bold(), " font-weight=\"bold\"".to_owned()),
        (cell.dim(), format!(" opacity=\"{DIM}\"")),
        (cell.underline(), " text-decoration=\"underline\"".to_owned()),
    ] {
        if is_set {
            style += &attribute;
        }
    }
    style
}

/// What a cell is written with and on.
fn colours(cell: &Cell) -> (String, String) {
    let (ink, paper) = (colour(cell.fgcolor(), FOREGROUND), colour(cell.bgcolor(), BACKGROUND));
    if cell.inverse() { (paper, ink) } else { (ink, paper) }
}

/// The program writes all its colours in full.
fn colour(colour: Color, default: &str) -> String {
    match colour {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        Color::Default | Color::Idx(_) => default.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
